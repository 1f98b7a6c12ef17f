/** Lines of a body as it comes: Server-Sent Events, and one JSON object a line. */
import { ConnectionLost } from './errors.js'

const maxLine = 256 << 20 // characters: a result with all its output is one line

/** Lines without their ends. What is behind the last end of a line is a line only with `rest`. */
export async function* linesOf(body: ReadableStream<Uint8Array>, rest: boolean): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let held: string[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      const text = decoder.decode(value, { stream: !done })
      const parts = text.split('\n')
      size += text.length
      if (size > maxLine) throw new ConnectionLost(`a line is longer than ${maxLine} characters`, 'bad_answer')
      for (const part of parts.slice(0, -1)) {
        yield (held.join('') + part).replace(/\r$/, '')
        held = []
      }
      held.push(parts[parts.length - 1]!)
      if (parts.length > 1) size = parts[parts.length - 1]!.length
      if (done) break
    }
    const last = held.join('')
    if (rest && last) yield last
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

export function parseObject(text: string, what: string): Record<string, unknown> {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    found = undefined
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    throw new ConnectionLost(`${what} is no JSON object`, 'bad_answer')
  }
  return found as Record<string, unknown>
}

/** The events of a stream: members of `data`, `type` from its `event` line, `number` from its `id`. An event that no
 *  empty line ended is no event. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Record<string, unknown>> {
  let name = 'message'
  let id = ''
  let data: string[] = []
  for await (const line of linesOf(body, false)) {
    if (line === '') {
      if (data.length) {
        const event = { type: name, ...parseObject(data.join('\n'), 'an event') }
        yield /^\d+$/.test(id) ? { ...event, number: Number(id) } : event
      }
      name = 'message'
      id = ''
      data = []
    } else if (!line.startsWith(':')) {
      const colon = line.indexOf(':')
      const field = colon < 0 ? line : line.slice(0, colon)
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
      if (field === 'data') data.push(value)
      else if (field === 'event') name = value
      else if (field === 'id') id = value
    }
  }
}
