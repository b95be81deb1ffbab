import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** Caddy on this machine, in front of servers of ours. */
export interface Caddy {
  httpPort: number
  httpsPort: number
  /** The certificate of the authority that vouches for its sites. */
  ca: string
  stop(): Promise<void>
}

/**
 * Starts Caddy with README.md's Caddyfile for each of the sites. What is put before it keeps it on this machine: other ports, and
 * certificates of its own authority.
 *
 * @param program where it is
 * @param sites the port of the server behind each host
 */
export async function startCaddy(program: string, sites: Readonly<Record<string, number>>): Promise<Caddy> {
  const folder = await mkdtemp(join(tmpdir(), 'sidelinja-caddy-'))
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const documented = await documentedSite()
  const blocks = Object.entries(sites).map(([host, port]) =>
    documented.replace('admin.example.org', host).replace('127.0.0.1:3000', `127.0.0.1:${port}`),
  )
  const config = join(folder, 'Caddyfile')
  await writeFile(config, [globals(folder, httpPort, httpsPort), ...blocks].join('\n'))
  const child = spawn(program, ['run', '--config', config, '--adapter', 'caddyfile'], {
    env: { HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const over = once(child, 'exit')
  let log = ''
  for await (const text of child.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    log += text
    if (log.split('certificate obtained successfully').length > blocks.length && log.includes('serving initial configuration')) break
  }
  child.stderr.resume()
  if (child.exitCode !== null) throw new Error(`Caddy ended: ${log}`)
  return {
    httpPort,
    httpsPort,
    ca: await readFile(join(folder, 'pki/authorities/local/root.crt'), 'utf8'),
    async stop() {
      // It has nothing to keep, and would wait for a stream that a failed test has left open.
      child.kill('SIGKILL')
      await over
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The block of README.md that operators copy. */
async function documentedSite(): Promise<string> {
  const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8')
  const [, block] = /^```caddyfile\n([\s\S]*?)^```$/m.exec(readme) ?? []
  if (!block?.startsWith('admin.example.org {') || !block.includes('127.0.0.1:3000'))
    throw new Error('README.md has no Caddyfile for admin.example.org')
  return block
}

function globals(folder: string, httpPort: number, httpsPort: number): string {
  const lines = [
    'admin off',
    'default_bind 127.0.0.1',
    `http_port ${httpPort}`,
    `https_port ${httpsPort}`,
    'local_certs',
    'skip_install_trust',
  ]
  return `{\n${[...lines, `storage file_system ${folder}`].map((line) => `\t${line}\n`).join('')}\tservers {\n\t\tprotocols h1 h2\n\t}\n}\n`
}
