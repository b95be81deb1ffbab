import { listWorkers as list } from '@sidelinja/jobs-core/admin'
import { revalidatedJson } from '../http/json-response.ts'
import { defineRoute } from '../route.ts'
import { reading } from '../user-session.ts'

/** `GET {base}/workers`: who would take jobs, and who has been lost. On which machines is the operator's business. */
export const listWorkers = defineRoute({
  method: 'GET',
  under: 'base',
  path: '/workers',
  right: 'view',
  hasPage: true,
  run: async (context) => {
    // Workers serve all tenants; who has no collection has no business with them.
    const workers = await reading(context, async ({ trx, access }) => (access.see.length > 0 ? list(trx) : []))
    return revalidatedJson(context.request, {
      workers: workers.map((worker) => ({
        id: worker.id,
        state: worker.state,
        version: worker.version,
        types: worker.types,
        slots: worker.slots,
        running: worker.running,
        idle: worker.idle,
        registered_at: worker.registeredAt.toISOString(),
        heartbeat_at: worker.heartbeatAt.toISOString(),
        lease_expires_at: worker.leaseExpiresAt.toISOString(),
      })),
    })
  },
})
