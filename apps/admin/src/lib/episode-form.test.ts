import { describe, expect, test } from 'vitest'
import { checkEpisodeForm, readEpisodeForm } from './episode-form.ts'

const collection = '5a1de11a-0000-4000-8000-000000000001'
const good = { title: 'Episode 1', audioPath: 'show/ep001.mp3', collectionNodeId: collection, language: 'nb' }

describe('the form of an episode', () => {
  test('fields are read without the spaces around them', () => {
    const data = new FormData()
    data.set('title', '  Episode 1 ')
    data.set('audioPath', new File(['x'], 'ep001.mp3'))
    expect(readEpisodeForm(data)).toEqual({ title: 'Episode 1', audioPath: '', collectionNodeId: '', language: '' })
  })

  test('what is right has no problems', () => {
    expect(checkEpisodeForm(good, [collection])).toEqual({})
  })

  test.each([
    [{ title: '' }, 'title'],
    [{ title: 'x'.repeat(201) }, 'title'],
    [{ audioPath: '' }, 'audioPath'],
    [{ audioPath: '/etc/passwd' }, 'audioPath'],
    [{ audioPath: 'show/../../etc/passwd' }, 'audioPath'],
    [{ audioPath: 'show\\ep001.mp3' }, 'audioPath'],
    [{ audioPath: 'show/\0.mp3' }, 'audioPath'],
    [{ collectionNodeId: '5a1de11a-0000-4000-8000-000000000009' }, 'collectionNodeId'],
    [{ language: 'klingon' }, 'language'],
  ])('%o is said at its field', (change, field) => {
    expect(Object.keys(checkEpisodeForm({ ...good, ...change }, [collection]))).toEqual([field])
  })
})
