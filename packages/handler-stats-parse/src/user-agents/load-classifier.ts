import { posix } from 'node:path'
import { PermanentError } from '@sidelinja/jobs-core'
import type { FileRoot, RootedFile } from '@sidelinja/jobs-kit'
import { type Classify, createClassifier } from './classify.ts'
import { groups, type UserAgentEntry, type UserAgentGroup } from './entry.ts'
import { parseList } from './parse-list.ts'
import { createUserAgentList } from './user-agent-list.ts'

const MOST_BYTES = 2 * 1024 * 1024

/**
 * Makes the classifier of a collection: the built-in tables, and before them the lists in its folder, when it names one:
 * `bots.runtime.json`, `apps.runtime.json`, `libraries.runtime.json`, `browsers.runtime.json`, any of them.
 * @throws PermanentError `USER_AGENT_LIST_MISSING`, `USER_AGENT_LIST_INVALID`, and as {@link FileRoot.list} and {@link FileRoot.open}.
 */
export async function loadClassifier(root: FileRoot, folder: string | undefined, onSlow: (name: string) => void): Promise<Classify> {
  if (folder === undefined) return createClassifier()
  const lists: [UserAgentGroup, UserAgentEntry[]][] = []
  for (const file of await root.list(folder)) {
    const group = groups.find((name) => posix.basename(file.path) === `${name}.runtime.json`)
    if (group) lists.push([group, parseList(file.path, group, await readText(file))])
  }
  if (lists.length === 0) {
    throw new PermanentError(
      'USER_AGENT_LIST_MISSING',
      `Expected at least one of bots.runtime.json, apps.runtime.json, libraries.runtime.json and browsers.runtime.json in ${JSON.stringify(folder)} below ${root.name}, which statistics.userAgentsPath names; there is none. Put one there, or take the setting out; then retry the job.`,
    )
  }
  return createClassifier(createUserAgentList(lists, onSlow))
}

async function readText(file: RootedFile): Promise<string> {
  const handle = await file.open()
  try {
    const { size } = await handle.stat()
    if (size > MOST_BYTES) {
      throw new PermanentError(
        'USER_AGENT_LIST_INVALID',
        `The list of user agents ${JSON.stringify(file.path)} has ${size} bytes; at most ${MOST_BYTES} are read. Take out what is not needed, then retry the job.`,
      )
    }
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}
