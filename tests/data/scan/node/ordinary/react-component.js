import React, { useState, useEffect } from 'react';
export default function Counter({ start = 0 }) {
  const [n, setN] = useState(start);
  useEffect(() => { document.title = `count ${n}`; }, [n]);
  return <button onClick={() => setN(n + 1)}>{n}</button>;
}
