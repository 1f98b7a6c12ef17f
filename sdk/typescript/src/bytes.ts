/** Bytes, text and base64 by web APIs alone. */
import type { Bytes, OutputEvent } from './types.js'

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
export const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
export const toBytes = (data: Bytes): Uint8Array => (typeof data === 'string' ? encode(data) : data)

const slice = 0x8000 // arguments of one call: engines bound them

export function toBase64(data: Bytes): string {
  const bytes = toBytes(data)
  let binary = ''
  for (let i = 0; i < bytes.length; i += slice) binary += String.fromCharCode(...bytes.subarray(i, i + slice))
  return btoa(binary)
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
}

/** The bytes of a piece of output; `event.data` has U+FFFD where they are no UTF-8. */
export function bytesOf(event: OutputEvent): Uint8Array {
  return event.data_base64 === undefined ? encode(event.data) : fromBase64(event.data_base64)
}
