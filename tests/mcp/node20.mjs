// Node 20 has no fs.globSync, which the conformance suite imports for its reports of clients and never calls here.
import { register } from 'node:module'

const fs = "export * from 'node:fs'; export const globSync = () => { throw new Error('globSync: Node 22 has it') }"
const hooks = `export async function resolve(name, context, next) {
  if (name === 'fs' && context.parentURL?.includes('/conformance/dist/'))
    return { url: 'data:text/javascript,' + ${JSON.stringify(encodeURIComponent(fs))}, shortCircuit: true }
  return next(name, context)
}`
register('data:text/javascript,' + encodeURIComponent(hooks))
