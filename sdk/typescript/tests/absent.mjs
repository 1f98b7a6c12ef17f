// Stands in for packages that other packages import at their top, and that these tests do not need: langchain and
// just-bash are more than a hundred megabytes, esbuild is a program. What is imported of them can be called, made and
// asked for members.
import { readFileSync } from 'node:fs'
import { register } from 'node:module'

const wanted = /^(langchain|@langchain\/|langsmith|just-bash|esbuild)/

const source = (names) => `const absent = new Proxy(class {}, {
  get: (t, name) => (name === 'prototype' ? t.prototype : name === Symbol.toPrimitive ? () => 'absent' : absent),
  apply: () => absent, construct: () => absent })
${names.map((name) => `export const ${name} = absent`).join('\n')}
export default absent`

export async function resolve(specifier, context, next) {
  if (!wanted.test(specifier) || !context.parentURL) return next(specifier, context)
  const names = new Set()
  const imports = /import\s*(?:[\w$]+\s*,?\s*)?(?:\{([^}]*)\})?\s*from\s*["']([^"']+)["']/g
  for (const [, list, from] of readFileSync(new URL(context.parentURL), 'utf8').matchAll(imports)) {
    if (from === specifier) for (const part of (list ?? '').split(',')) names.add(part.trim().split(/\s+as\s+/)[0])
  }
  names.delete('')
  return { url: 'data:text/javascript,' + encodeURIComponent(source([...names])), shortCircuit: true }
}

if (!import.meta.url.includes('?hooks')) register(import.meta.url + '?hooks')
