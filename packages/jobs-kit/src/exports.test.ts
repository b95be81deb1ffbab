import { expect, test } from 'vitest'

test('door .', async () => {
  expect(Object.keys(await import('@sidelinja/jobs-kit'))).toMatchInlineSnapshot(`
    [
      "createFileRoot",
      "checkServices",
      "createServices",
      "collectionSettings",
      "parseCollectionSettings",
    ]
  `)
})

test('door ./storage', async () => {
  expect(Object.keys(await import('@sidelinja/jobs-kit/storage'))).toMatchInlineSnapshot(`
    [
      "handlerMigrations",
      "readDatabaseTime",
      "withTables",
      "checkHostTables",
      "compareHostTables",
      "readCollectionSettings",
      "readNode",
      "countDownloadsByApp",
      "countDownloadsByDay",
      "countDownloadsByEpisode",
      "listDownloads",
      "readCheckpoint",
      "readFinishedLogs",
      "recordStatistics",
      "sweepExpiredSalts",
    ]
  `)
})

test('door ./testing', async () => {
  expect(Object.keys(await import('@sidelinja/jobs-kit/testing'))).toMatchInlineSnapshot(`
    [
      "runCheck",
      "handlerChecks",
      "describeHandler",
    ]
  `)
})
