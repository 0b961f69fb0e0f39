import { type Inbox, type InboxState, InboxUnavailable } from '../inbox.ts'
import { type OperationName, type Operations, READS } from './operations.ts'
import { createSqliteThread } from './thread.ts'

export interface InboxLog {
  info(details: object, text: string): void
  warn(details: object, text: string): void
}

export interface SqliteInboxOptions {
  path: string
  /** False refuses with `missing` where there is no file yet. */
  create?: boolean
  /** The clock of what is stored and counted, in epoch ms; deadlines are by Date.now(). */
  now?: () => number
  log?: InboxLog
}

const MENDING_INTERVAL = 1000

/**
 * An inbox in one SQLite file. Never throws: a store that cannot be opened makes the calls reject
 * with InboxUnavailable, and opening is tried again with each call and every second.
 */
export function createSqliteInbox(options: SqliteInboxOptions): Inbox {
  const { path, create = true, now = Date.now, log } = options
  const thread = createSqliteThread({ path, create }, (err) => {
    log?.warn({ err }, 'inbox thread crashed')
  })
  const hitsToGiveBack = new Set<number>()
  let state: InboxState = 'opening'

  async function run<Name extends OperationName>(
    operation: Name,
    args: Parameters<Operations[Name]>,
    deadline: number,
  ): Promise<ReturnType<Operations[Name]>> {
    if (Date.now() >= deadline) throw new InboxUnavailable('deadline')
    try {
      const value = await thread.run(operation, args, deadline)
      if (!READS.has(operation)) becomeOpen()
      return value
    } catch (error) {
      if (error instanceof InboxUnavailable) becomeUnavailable(error)
      throw error
    }
  }

  function becomeOpen(): void {
    if (state === 'open' || state === 'closed') return
    state = 'open'
    log?.info({ path }, 'inbox open')
  }

  function becomeUnavailable({ reason }: InboxUnavailable): void {
    if (state === 'unavailable' || state === 'closed') return
    state = 'unavailable'
    log?.warn({ path, reason }, 'inbox unavailable')
  }

  async function giveBack(id: number, deadline: number): Promise<void> {
    try {
      await run('giveBack', [id], deadline)
      hitsToGiveBack.delete(id)
    } catch {
      hitsToGiveBack.add(id)
    }
  }

  async function mend(): Promise<void> {
    const deadline = Date.now() + MENDING_INTERVAL
    if (state !== 'open') await run('probe', [], deadline).catch(() => {})
    if (state !== 'open') return
    for (const id of hitsToGiveBack) await giveBack(id, deadline)
  }

  const mending = setInterval(mend, MENDING_INTERVAL).unref()

  return {
    open: (deadline) => run('probe', [], deadline),
    keep: (message, deadline) => run('keep', [message, now()], deadline),
    findReceipt: (key, fingerprint, deadline) =>
      run('findReceipt', [key, fingerprint, now()], deadline),
    async hit(address, limit, deadline) {
      const { resetAt, ...hit } = await run('hit', [address, limit, now()], deadline)
      return { ...hit, resetTime: new Date(resetAt) }
    },
    async giveBack({ id }, deadline) {
      if (id !== undefined) await giveBack(id, deadline)
    },
    hasReference: async (reference, deadline) =>
      (await run('find', [reference], deadline)) !== undefined,
    find: (reference, deadline) => run('find', [reference], deadline),
    list: (query, deadline) => run('list', [query], deadline),
    audit: (action, subject, deadline) => run('audit', [action, subject, now()], deadline),
    state: () => state,
    close() {
      state = 'closed'
      clearInterval(mending)
      return thread.close()
    },
  }
}
