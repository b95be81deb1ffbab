import { describe, expect, test } from 'vitest'
import { whisperTranscribe } from './job.ts'

const mediaNodeId = '0199a000-0000-7000-8000-000000000001'

async function complaints(payload: unknown): Promise<string> {
  const { issues = [] } = await whisperTranscribe.payload['~standard'].validate(payload)
  return issues.map(({ path = [], message }) => [...path.map(String), message].join(': ')).join('; ')
}

describe('a payload that does not fit', () => {
  test.each<[what: string, payload: unknown, says: RegExp]>([
    ['a misspelt key', { audioFile: 'ep001.mp3', mediaNodeId }, /^audioPath: .*received undefined$/],
    ['an id that is none', { audioPath: 'ep001.mp3', mediaNodeId: '…' }, /^mediaNodeId: [^;]*$/],
    [
      'several things',
      { mediaNodeId, language: 'norsk bokmål' },
      /^audioPath: .*; language: expected a language tag, like "nb", or "auto"$/,
    ],
    ['a place in a list', { mediaNodeId, followUps: ['srt_parse', 'Lag'] }, /^audioPath: .*; followUps: 1: expected a job type/],
    ['of a commit', { commitTranscriptOf: mediaNodeId }, /^fileName: .*received undefined$/],
    ['no object', 'ep001.mp3', /expected object, received string/],
  ])('names what is wrong: %s', async (_, payload, says) => {
    expect(await complaints(payload)).toMatch(says)
  })
})

test('a node may have any id that PostgreSQL takes', async () => {
  const anyId = '00000000-0000-0000-0000-000000000001'
  expect(await complaints({ audioPath: 'ep001.mp3', mediaNodeId: anyId })).toBe('')
  expect(await complaints({ commitTranscriptOf: anyId, fileName: 'ep001' })).toBe('')
})
