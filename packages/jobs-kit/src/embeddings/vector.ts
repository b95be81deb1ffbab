/** Of two vectors of length one: the cosine of the angle between them, 1 for the same, 0 for nothing in common. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0)
  return sum
}

/** The vector at length one; undefined for one without a direction: of zeros, of something that is no number, or too long to be measured. */
export function toUnit(vector: ArrayLike<number>): Float32Array | undefined {
  let squares = 0
  for (let index = 0; index < vector.length; index++) squares += (vector[index] ?? Number.NaN) ** 2
  const length = Math.sqrt(squares)
  if (!Number.isFinite(length) || length === 0) return undefined
  return Float32Array.from(vector, (value) => value / length)
}

/** As little-endian numbers of 32 bits, which is also how gateways send it. */
export function toBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes.toString('base64')
}

/** The way back; undefined for what is no such text. */
export function fromBase64(text: string): Float32Array | undefined {
  if (text === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4))
}
