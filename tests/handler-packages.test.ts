import { join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { nodesOf, parse } from './support/syntax.ts'
import { isTestFile, readText, repositoryFiles, root, type WorkspacePackage, workspacePackages } from './support/workspace.ts'

// Who has read one handler package has read them all: this file is the shape, docs/add-a-handler.md the recipe.

const always = [
  'README.md',
  'package.json',
  'src/handler.ts',
  'src/index.ts',
  'src/job.ts',
  'test/handler.test.ts',
  'tsconfig.json',
  'tsup.config.ts',
]
/** Pure parts of the handler, their tests, recorded replies, and what changesets writes. */
const also = /^(CHANGELOG\.md|src\/[\w-]+(\/[\w-]+)*(\.test)?\.ts|test\/[\w-]+(\/[\w-]+)*(\.test)?\.ts|test\/fixtures\/.+)$/
/** What a README says, in this order: the payload as a table, the rest as paragraphs that begin with these words. */
const sections = ['| payload', '**Result**', '**Services**', '**Reads**', '**Writes**', '**Permanent failures**']
const exportsOf = (door: string) => ({ types: `./dist/${door}.d.ts`, default: `./dist/${door}.js` })
/** The door that a handler has whose results are drawn. */
const view = 'src/view.ts'
const sameManifest = {
  version: expect.any(String),
  keywords: expect.any(Array),
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  files: ['dist', '!dist/metafile-*.json', 'README.md', 'CHANGELOG.md', 'LICENSE'],
  engines: { node: '>=22.18' },
  scripts: { build: 'tsup', typecheck: 'tsc -p tsconfig.json' },
  dependencies: { '@sidelinja/jobs-core': 'workspace:^', '@sidelinja/jobs-kit': 'workspace:^', zod: 'catalog:' },
  peerDependencies: { kysely: '^0.29.9', pg: '^8.23.1' },
}

/** Its doors: two, and a third where results are drawn. */
function doorsWith(hasView: boolean) {
  const doors = [['.', 'index'], ['./job', 'job'], ...(hasView ? [['./view', 'view']] : [])] as [string, string][]
  return {
    exports: Object.fromEntries(doors.map(([path, door]) => [path, { '@sidelinja/source': `./src/${door}.ts`, ...exportsOf(door) }])),
    publishConfig: { access: 'public', exports: Object.fromEntries(doors.map(([path, door]) => [path, exportsOf(door)])) },
  }
}

const handlers = workspacePackages().filter(({ folder }) => folder.startsWith('packages/handler-'))

test('there is at least one handler package', () => {
  expect(handlers.length).toBeGreaterThan(0)
})

describe.each(handlers)('$folder', (handler) => {
  const { folder, manifest } = handler
  const type = folder.replace('packages/handler-', '').replaceAll('-', '_')
  const files = filesOf(handler)
  const sources = files.filter((file) => file.startsWith('src/') && !isTestFile(file))

  test('has the files of every handler', () => {
    expect(always.filter((file) => !files.includes(file))).toEqual([])
    expect(files.filter((file) => !always.includes(file) && !also.test(file))).toEqual([])
  })

  test('has the manifest of every handler', () => {
    const { name, description, devDependencies, ...rest } = manifest
    expect(name).toBe(`@sidelinja/${folder.replace('packages/', '')}`)
    expect(description).toMatch(new RegExp(`^Job type ${type}: .{10,}\\.$`))
    expect(rest).toEqual({ ...sameManifest, ...doorsWith(files.includes(view)) })
    expect(devDependencies).toEqual(handlers[0]?.manifest.devDependencies)
  })

  test('has the tsconfig.json and tsup.config.ts of every handler', () => {
    expect(readText(`${folder}/tsconfig.json`)).toBe(readText(`${handlers[0]?.folder}/tsconfig.json`))
    const entry = ['src/index.ts', 'src/job.ts', ...(files.includes(view) ? [view] : [])].map((file) => `'${file}'`).join(', ')
    expect(readText(`${folder}/tsup.config.ts`)).toBe(
      `import { preset } from '@sidelinja/build-preset'\n\nexport default preset({ entry: [${entry}] })\n`,
    )
  })

  test('exports one definition, named after the folder, and the factory of its handler', async () => {
    const index = await import(join(root, folder, 'src/index.ts'))
    const job = await import(join(root, folder, 'src/job.ts'))
    expect(Object.keys(index)).toEqual(['default'])
    expect(Object.keys(index.default).toSorted()).toEqual(['createHandler', 'definition'])
    expect(index.default.definition.type).toBe(type)
    expect(job[camelCase(type)]).toBe(index.default.definition)
    expect(index.default.createHandler).toBeTypeOf('function')
  })

  test('exports at most one view of its results, named after the folder', async () => {
    if (!files.includes(view)) return
    const found = await import(join(root, folder, view))
    expect(Object.keys(found)).toEqual([`${camelCase(type)}View`])
    expect(found[`${camelCase(type)}View`]).toMatchObject({ type, read: expect.any(Function) })
  })

  test('runs the conformance suite', () => {
    expect(readText(`${folder}/test/handler.test.ts`)).toMatch(/\bdescribeHandler\(/)
  })

  test('has a README with the parts of every handler', () => {
    const readme = readText(`${folder}/README.md`)
    expect(readme.split('\n')[0]).toBe(`# ${manifest.name}`)
    expect(sections.filter((part) => readme.split(part).length !== 2)).toEqual([])
    expect(sections.toSorted((a, b) => readme.indexOf(a) - readme.indexOf(b))).toEqual(sections)
  })

  test('names every permanent failure in its README', () => {
    const [, permanent = ''] = readText(`${folder}/README.md`).split('**Permanent failures**')
    const codes = sources.flatMap((file) => permanentCodes(readText(`${folder}/${file}`)))
    expect(codes.filter((code) => !permanent.includes(`\`${code}\``))).toEqual([])
  })

  test('names the permanent failures of what it calls in its README', () => {
    const [, permanent = ''] = readText(`${folder}/README.md`).split('**Permanent failures**')
    const source = sources.map((file) => readText(`${folder}/${file}`)).join('\n')
    expect(sharedCodes(source).filter((code) => !permanent.includes(code))).toEqual([])
  })

  test('holds no SQL, URL or environment, and catches only to explain', () => {
    expect(sources.flatMap((file) => forbidden(readText(`${folder}/${file}`), file).map((found) => `${file}: ${found}`))).toEqual([])
  })
})

test('SQL, URLs, environment and catching are seen where they stand', () => {
  expect(forbidden("sql`select 1`; const a = 'insert into nodes (id) values (1)'", 'src/a.ts')).toHaveLength(2)
  expect(forbidden("const a = 'https://example.org/v1'; fetch(a)", 'src/a.ts')).toHaveLength(1)
  expect(forbidden("process.env.X; import { env } from 'node:process'", 'src/a.ts')).toHaveLength(2)
  expect(forbidden('try { a() } catch {}', 'src/handler.ts')).toHaveLength(1)
  expect(forbidden("try { a() } catch (cause) { throw new PermanentError('A_B', 'b', { cause }) }", 'src/handler.ts')).toEqual([])
  expect(forbidden("const a = 'Select a file from the list'; const b = 'update the list'", 'src/a.ts')).toEqual([])
  expect(permanentCodes("throw new PermanentError('A_B', 'c')")).toEqual(['A_B'])
  expect(sharedCodes('await collections.readSettings(id)')).toEqual(['`COLLECTION_SETTINGS_INVALID`'])
})

function filesOf({ folder }: WorkspacePackage): string[] {
  return repositoryFiles().flatMap((file) => (file.startsWith(`${folder}/`) ? [relative(folder, file)] : []))
}

function camelCase(type: string): string {
  return type.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** What services and functions of the kit refuse for good, by how they are called. */
const refusals: [call: RegExp, codes: string[]][] = [
  [/\.readSettings\(/, ['`COLLECTION_SETTINGS_INVALID`']],
  [/\.readNode\(/, ['`NODE_NOT_IN_COLLECTION`']],
  [/\bchooseFollowUps\(/, ['`FOLLOW_UP_LOOP`']],
  [/\.checkMediaNode\(/, ['`MEDIA_NODE_MISSING`']],
  [/\.checkTranscribed\(/, ['`TRANSCRIPT_MISSING`']],
  [/\b(media|logs)\.open\(/, ['`FILE_']],
  [/\.putFile\(/, ['`REPOSITORY_']],
  [/\bweb\.read\(/, ['ADDRESS_REFUSED', 'TOO_MANY_REDIRECTS', 'MEDIA_TYPE_UNSUPPORTED', 'PAGE_TOO_LARGE'].map((code) => `\`${code}\``)],
  [
    /\bgateway\.ask\(/,
    ['AI_BUDGET_SPENT', 'REPLY_REFUSED', 'REPLY_TOO_LARGE', 'REPLY_CUT', 'CONTEXT_TOO_LONG', 'REPLY_INVALID', 'UPSTREAM_REJECTED'].map(
      (code) => `\`${code}\``,
    ),
  ],
  [
    /\bgateway\.embed\(/,
    ['AI_BUDGET_SPENT', 'EMBEDDING_DIMENSIONS', 'CONTEXT_TOO_LONG', 'REPLY_REFUSED', 'UPSTREAM_REJECTED'].map((code) => `\`${code}\``),
  ],
]

function sharedCodes(source: string): string[] {
  return refusals.flatMap(([call, codes]) => (call.test(source) ? codes : []))
}

function permanentCodes(source: string): string[] {
  return [...source.matchAll(/new PermanentError\(\s*'([A-Z0-9_]+)'/g)].map(([, code]) => code ?? '')
}

const sqlText =
  /\b(select\b.+\bfrom\s+[a-z_]+\b(\s|$)(where|join|order|limit|group)|insert\s+into\s+\w+|update\s+\w+\s+set\s|delete\s+from\s+\w+)/is

function forbidden(source: string, file: string): string[] {
  return nodesOf(parse(source, file)).flatMap((node) => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') return ['sql`…`']
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      if (sqlText.test(node.text)) return [`SQL: ${node.text.slice(0, 60)}`]
      if (/^https?:\/\/[\w.]/.test(node.text)) return [`URL: ${node.text}`]
      if (/^(node:)?process$/.test(node.text)) return ['node:process']
    }
    if (ts.isPropertyAccessExpression(node) && node.getText() === 'process.env') return ['process.env']
    if (ts.isCatchClause(node) && file === 'src/handler.ts' && !/new PermanentError\(/.test(node.getText())) {
      return ['catch without a PermanentError']
    }
    return []
  })
}
