import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPdf } from '../../src/web-pages/pdf/read-pdf.ts'
import { fixture, pdftotext, useSite } from './support.ts'

if (!pdftotext) console.log('not run: 3 tests, needs pdftotext')

const report = await fixture('report.pdf')
const pdf = { 'content-type': 'application/pdf' }
const site = useSite({
  '/arkiv/Kai%20i%20S%C3%B8rv%C3%A5gen.pdf': { headers: pdf, body: report },
  '/lastned': { headers: { 'content-type': 'application/octet-stream' }, body: report },
  '/skannet.pdf': { headers: pdf, body: await fixture('scanned.pdf') },
  '/skadet.pdf': { headers: pdf, body: '%PDF-1.7\nhele resten mangler' },
})
const limits = { programPath: pdftotext ?? 'pdftotext', timeoutMs: 20_000, memoryMb: 1_024, maxPages: 200, maxCharacters: 1_000 }
const never = new AbortController().signal

describe.runIf(pdftotext)('a PDF', () => {
  test('is read as paragraphs', async () => {
    expect(await site.read('/arkiv/Kai%20i%20S%C3%B8rv%C3%A5gen.pdf')).toMatchObject({
      ...{ obstacle: null, title: 'Kai i Sørvågen.pdf', mediaType: 'application/pdf' },
      text: 'Kommunen har bygd ny kai i Sørvågen. Den er 40 meter lang, og dybden er 7 meter ved fjære sjø.\n\nFiskerne er fornøyde med det som er gjort.',
    })
    expect(await site.read('/lastned')).toMatchObject({ obstacle: null, title: 'lastned' })
  })

  test('of pictures, and one that is damaged, are told', async () => {
    expect(await site.read('/skannet.pdf')).toMatchObject({ obstacle: 'scanned', text: '' })
    expect(await site.read('/skadet.pdf')).toMatchObject({ obstacle: 'unreadable', text: '' })
  })

  test('that says more than is kept is cut', async () => {
    expect(await readPdf(report, { ...limits, maxCharacters: 20 }, never)).toEqual({
      text: 'Kommunen har bygd ny',
      cutCharacters: expect.any(Number),
      obstacle: null,
    })
  })
})

describe('the program', () => {
  let folder: string
  const programs: Record<string, string> = {
    hang: 'exec sleep 60',
    talk: 'exec yes blåbær',
    fail: 'exit 3',
    limit: 'ulimit -v',
    time: 'ulimit -t',
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pdf-'))
    for (const [name, script] of Object.entries(programs)) {
      await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
      await chmod(join(folder, name), 0o755)
    }
  })
  afterAll(() => rm(folder, { recursive: true }))
  const run = (name: string, change = {}, signal = never) =>
    readPdf(report, { ...limits, programPath: join(folder, name), ...change }, signal)

  test('that is not there leaves a PDF unread, and is told', async () => {
    expect(await run('missing')).toEqual({ text: '', cutCharacters: 0, obstacle: 'no_pdf_reader' })
    expect(await site.read('/lastned', {}, { pdftotextPath: join(folder, 'missing') })).toMatchObject({
      obstacle: 'no_pdf_reader',
      title: 'lastned',
    })
  })

  test('that hangs, fails or goes on and on is ended', async () => {
    expect(await run('hang', { timeoutMs: 200 })).toMatchObject({ obstacle: 'unreadable' })
    expect(await run('fail')).toMatchObject({ obstacle: 'unreadable' })
    const { text, obstacle } = await run('talk')
    expect([text.length, obstacle]).toEqual([1_000, null])
  })

  test('has no more memory than it may, and no more time, also without a worker to end it', async () => {
    expect(await run('limit')).toMatchObject({ text: '1048576', obstacle: null })
    expect(await run('time')).toMatchObject({ text: '20', obstacle: null })
  })

  test('ends with the signal, and its reason', async () => {
    const stop = new AbortController()
    const read = run('hang', {}, stop.signal)
    stop.abort(new Error('stopped'))
    await expect(read).rejects.toThrow('stopped')
  })
})
