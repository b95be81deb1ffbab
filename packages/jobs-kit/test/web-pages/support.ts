import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, inject } from 'vitest'
import { createWebPages, type WebPagesOptions } from '../../src/web-pages/create-web-pages.ts'
import type { PageRequest, WebPage } from '../../src/web-pages/web-page.ts'

export const fetchedAt = new Date('2026-12-01T09:00:00Z')

/** What a site answers. */
export interface SiteAnswer {
  readonly status?: number
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Uint8Array
}

/** A site on this machine, under any name, and a reader that may reach it and nothing else inside. */
export function useSite(answers: Readonly<Record<string, SiteAnswer | (() => SiteAnswer)>>) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    const found = answers[request.url ?? ''] ?? { status: 404, body: 'Not here' }
    const {
      status = 200,
      headers = { 'content-type': 'text/html; charset=utf-8' },
      body = '',
    } = typeof found === 'function' ? found() : found
    response.writeHead(status, headers).end(body)
  })
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(() => server.close())
  const port = () => (server.address() as AddressInfo).port
  const pages = (options: WebPagesOptions) => {
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    return createWebPages({ allowLocal: [`127.0.0.1:${port()}`], resolve, ...options }, async () => fetchedAt)
  }
  return {
    requests,
    url: (path: string, host = 'avisa.example') => `http://${host}:${port()}${path}`,
    read(
      path: string,
      request: Partial<PageRequest> = {},
      { signal = new AbortController().signal, ...options }: WebPagesOptions & { signal?: AbortSignal } = {},
    ): Promise<WebPage> {
      requests.length = 0
      return pages(options).read({ url: `http://avisa.example:${port()}${path}`, ...request }, signal)
    },
  }
}

/** pdftotext's path; null where there is none. */
export const pdftotext = inject('pdftotext')

export function fixture(name: string): Promise<Buffer> {
  return readFile(new URL(`../fixtures/pages/${name}`, import.meta.url))
}

export const sentence = 'Kommunen har bygd ny kai i Sørvågen, og fiskerne er fornøyde med dybden, strømmen og lyset der ute.'
export const article = (title: string) =>
  `<!doctype html><html lang="nb"><head><title>${title}</title></head><body><article><h1>${title}</h1>${`<p>${sentence}</p>`.repeat(20)}</article></body></html>`
