import type { RetentionPeriods } from '../../shared/retention.ts'
import { inBatches, soon } from './batches.ts'
import type { Inbox } from './inbox.ts'
import { InboxUnavailable } from './inbox-errors.ts'
import type { InboxLog } from './inbox-facade.ts'

interface RetentionDeps {
  inbox: Pick<Inbox, 'repairTimes' | 'purge' | 'scrub'>
  periods: RetentionPeriods
  log?: InboxLog
}

const INTERVAL_MS = 60 * 60_000
const RETRY_MS = 60_000
/** Rows per transaction. The number is small, so that no visitor waits long for the lock of the transaction. */
const BATCH_SIZE = 200

/**
 * At the start and then every hour, corrects times in the future, and erases expired rows in batches. After a failure,
 * retries in a minute.
 */
export function startRetention({ inbox, periods, log }: RetentionDeps) {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  /** True while SQLite's files may hold what was erased: network addresses too, not only messages. */
  let needsScrub = true

  async function repairTimes(): Promise<void> {
    const count = await inbox.repairTimes(soon())
    if (count > 0)
      log?.warn({ count }, 'stored times were in the future and are corrected; check the clock')
  }

  async function eraseAll(): Promise<void> {
    const purge = inBatches<string>(BATCH_SIZE, (deadline, query) =>
      inbox.purge(deadline, periods, query),
    )
    for await (const tables of purge) {
      needsScrub = true
      const count = tables.filter((table) => table === 'messages').length
      if (count > 0) log?.info({ count }, 'expired messages erased')
      if (isStopped) return
    }
    if (needsScrub) needsScrub = (await inbox.scrub(soon(), false)) === 'busy'
  }

  async function run(): Promise<void> {
    let delayMs = INTERVAL_MS
    try {
      await repairTimes()
      await eraseAll()
    } catch (err) {
      delayMs = RETRY_MS
      // The inbox itself logs that it is unavailable.
      if (!(err instanceof InboxUnavailable))
        log?.warn({ err }, 'regular erasing of expired messages failed; it will be retried')
    }
    if (!isStopped) timer = setTimeout(run, delayMs).unref()
  }

  void run()
  return {
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
