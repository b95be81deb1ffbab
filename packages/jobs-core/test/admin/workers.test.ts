import { expect, test } from 'vitest'
import { listWorkers } from '../../src/admin/index.ts'
import { insertJob, insertNode, insertWorker } from '../../src/testing/index.ts'
import { useQueue } from '../support/use-queue.ts'

const queue = useQueue()

test('of what a worker runs only the scope’s jobs are counted', async () => {
  const { id: other } = await insertNode(queue.db)
  const { id: worker_id } = await insertWorker(queue.db)
  for (const collection_node_id of [queue.collectionNodeId, other, other]) {
    await insertJob(queue.db, { collection_node_id, status: 'running', worker_id })
  }
  const running = async (scope: Parameters<typeof listWorkers>[1]) => (await listWorkers(queue.db, scope)).map((worker) => worker.running)
  expect(await running('all')).toEqual([3])
  expect(await running({ collectionNodeIds: [queue.collectionNodeId] })).toEqual([1])
  expect(await running({ collectionNodeIds: [] })).toEqual([0])
})
