import { describe, expect, test } from 'vitest'
import { MultipartError, multipartBoundary, readMultipart } from './multipart.ts'

const boundary = 'X-b0'
const lines = (...parts: string[]) => parts.join('\r\n')
const field = (name: string, value: string) => lines(`--${boundary}`, `Content-Disposition: form-data; name="${name}"`, '', value, '')
const end = `--${boundary}--\r\n`

describe('multipartBoundary', () => {
  test.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data;boundary="a b"', 'a b'],
    ['multipart/form-data; charset=utf-8; boundary=abc', 'abc'],
    ['multipart/mixed; boundary=abc', undefined],
    ['application/json', undefined],
    [undefined, undefined],
  ])('%s', (contentType, expected) => {
    expect(multipartBoundary(contentType)).toBe(expected)
  })
})

describe('readMultipart', () => {
  const file = lines(
    `--${boundary}`,
    'content-disposition: form-data; name="file"; filename="blåbær %22x%22.mp3"',
    'Content-Type: audio/mpeg',
    '',
    `a\r\nb\r\n--${boundary.slice(0, 3)}\r\n`,
    '',
  )
  const whole = field('model', 'whisper-1') + file + field('tom', '') + end
  const parts = [
    { name: 'model', fileName: undefined, contentType: undefined, text: 'whisper-1' },
    { name: 'file', fileName: 'blåbær "x".mp3', contentType: 'audio/mpeg', text: `a\r\nb\r\n--${boundary.slice(0, 3)}\r\n` },
    { name: 'tom', fileName: undefined, contentType: undefined, text: '' },
  ]

  test.each([1, 2, 3, 7, 64, 10_000])('reads the same in chunks of %i bytes', async (size) => {
    expect(await collect(chunks(whole, size))).toEqual(parts)
  })

  test('reads what Node’s own FormData sends', async () => {
    const form = new FormData()
    form.append('a', '1')
    form.append('file', new Blob(['æøå\r\n--']), 'lyd "1".mp3')
    const request = new Request('http://localhost/', { method: 'POST', body: form })
    const given = multipartBoundary(request.headers.get('content-type') ?? undefined) ?? ''
    expect(await collect(chunks(Buffer.from(await request.arrayBuffer()), 50), given)).toMatchObject([
      { name: 'a', text: '1' },
      { name: 'file', fileName: 'lyd "1".mp3', text: 'æøå\r\n--' },
    ])
  })

  test('a part that is not looked at is skipped', async () => {
    const names: string[] = []
    for await (const part of readMultipart(chunks(whole, 5), boundary)) names.push(part.name)
    expect(names).toEqual(['model', 'file', 'tom'])
  })

  test('takes no more of a long file than whoever reads it', async () => {
    let produced = 0
    const source = async function* () {
      yield Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n`)
      for (; produced < 50_000_000; produced += 50_000) yield Buffer.alloc(50_000)
      yield Buffer.from(`\r\n${end}`)
    }
    let consumed = 0
    let furthest = 0
    for await (const { body } of readMultipart(source(), boundary)) {
      for await (const chunk of body) {
        consumed += chunk.length
        furthest = Math.max(furthest, produced - consumed)
      }
    }
    expect(consumed).toBe(50_000_000)
    expect(furthest).toBeLessThanOrEqual(50_000)
  })

  test.each([
    ['ends inside a part', whole.slice(0, -20), /ends before/],
    ['ends without the last boundary', field('a', '1'), /ends before/],
    ['begins with something else', `x\r\n${whole}`, /before the first boundary/],
    ['has a part without a name', lines(`--${boundary}`, 'Content-Disposition: form-data', '', 'x', end), /with a name/],
    ['has a header without a name', lines(`--${boundary}`, 'nonsense', '', 'x', end), /no name/],
    ['has junk after a boundary', `--${boundary}junk\r\n`, /line break/],
    ['has endless headers', `--${boundary}\r\nX: ${'y'.repeat(20_000)}`, /more than 16384 bytes/],
    ['has endless parts', field('a', '').repeat(1_001) + end, /more than 1000 parts/],
    ['is empty', '', /ends before/],
  ])('refuses a body that %s', async (_name, body, message) => {
    const reading = collect(chunks(body, 1_000))
    await expect(reading).rejects.toThrow(MultipartError)
    await expect(reading).rejects.toThrow(message)
  })
})

async function* chunks(text: string | Buffer, size: number): AsyncGenerator<Buffer, void> {
  const bytes = Buffer.from(text as string)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function collect(source: AsyncIterable<Buffer>, given = boundary) {
  const collected: object[] = []
  for await (const { body, ...part } of readMultipart(source, given)) {
    const bytes: Buffer[] = []
    for await (const chunk of body) bytes.push(chunk)
    collected.push({ ...part, text: Buffer.concat(bytes).toString('utf8') })
  }
  return collected
}
