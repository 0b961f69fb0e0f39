import { QUARANTINE_DAYS } from '../../shared/constants.ts'
import { type Inbox, type InboxState, InboxUnavailable } from './inbox.ts'
import {
  type OperationArgs,
  type OperationName,
  type Operations,
  READS,
  type Store,
} from './operations.ts'

export interface InboxLog {
  info(details: object, text: string): void
  warn(details: object, text: string): void
}

export interface InboxOptions {
  /** False refuses with `missing` where there is no store yet. */
  create?: boolean
  /** The clock of what is stored and counted, in epoch ms, in place of the store's own; deadlines are by Date.now(). */
  now?: () => number
  log?: InboxLog
  /** After how many days quarantined messages are erased, for what `waiting` tells. */
  quarantineDays?: number
  /** How many mails of messages may go within an hour; unlimited when absent. */
  mailPerHour?: number
}

const MENDING_INTERVAL_MS = 1000
/** For a probe beside a read that may still be under way. */
const OPEN_PROBE_PATIENCE_MS = 10_000

/**
 * The inbox over a store. Never throws: a store that cannot be opened makes the calls reject with
 * InboxUnavailable, and opening is tried again with each call and every second.
 * @param place what the log calls the store
 */
export function createFront(store: Store, place: string, options: InboxOptions): Inbox {
  const { now: ownNow, log, quarantineDays = QUARANTINE_DAYS } = options
  const { mailPerHour = Number.POSITIVE_INFINITY } = options
  let state: InboxState = 'opening'
  let needsProbe = false
  let isProbing = false

  async function run<Name extends OperationName>(
    operation: Name,
    args: OperationArgs<Name>,
    deadline: number,
  ): Promise<ReturnType<Operations[Name]>> {
    if (Date.now() >= deadline) throw new InboxUnavailable('deadline')
    try {
      const isOwnTime = ownNow && typeof args === 'function'
      const value = await store.run(operation, isOwnTime ? args(ownNow()) : args, deadline)
      if (!READS.has(operation)) becomeOpen()
      return value
    } catch (error) {
      if (error instanceof InboxUnavailable) {
        // The state is about writing: after a read that was slow or failed, a probe decides.
        if (READS.has(operation)) needsProbe = true
        else becomeUnavailable(error)
      }
      throw error
    }
  }

  function becomeOpen(): void {
    if (state === 'open' || state === 'closed') return
    state = 'open'
    log?.info({ place }, 'inbox open')
  }

  function becomeUnavailable({ reason, cause }: InboxUnavailable): void {
    if (state === 'unavailable' || state === 'closed') return
    state = 'unavailable'
    const { code } = (cause ?? {}) as { code?: string }
    log?.warn({ place, reason, code }, 'inbox unavailable')
  }

  async function mend(): Promise<void> {
    if (isProbing || (state === 'open' && !needsProbe)) return
    needsProbe = false
    isProbing = true
    const patienceMs = state === 'open' ? OPEN_PROBE_PATIENCE_MS : MENDING_INTERVAL_MS
    await run('probe', [], Date.now() + patienceMs).catch(() => {})
    isProbing = false
  }

  const mending = setInterval(mend, MENDING_INTERVAL_MS).unref()

  return {
    open: (deadline) => run('probe', [], deadline),
    submit: (message, limit, deadline) => run('submit', (now) => [message, limit, now], deadline),
    hasReference: (reference, deadline) => run('hasReference', [reference], deadline),
    find: (reference, deadline) => run('find', [reference], deadline),
    list: (query, deadline) => run('list', [query], deadline),
    audit: (action, subject, deadline) => run('audit', (now) => [action, subject, now], deadline),

    claim: (lease, deadline) => run('claim', (now) => [{ ...lease, mailPerHour }, now], deadline),
    settle: ({ message, token }, outcome, deadline) =>
      run('settle', (now) => [message.reference, token, outcome, now], deadline),
    nextDueIn: (deadline) => run('nextDueIn', (now) => [mailPerHour, now], deadline),
    claimDigest: (leaseMs, deadline) => run('claimDigest', (now) => [leaseMs, now], deadline),
    confirmDigest: (date, deadline) => run('confirmDigest', (now) => [date, now], deadline),
    waiting: (deadline) =>
      run('waiting', (now) => [{ quarantineDays, mailPerHour }, now], deadline),

    release: (reference, deadline) => run('release', (now) => [reference, now], deadline),
    retry: (reference, deadline) => run('retry', (now) => [reference, now], deadline),
    retrySome: (limit, deadline) => run('retrySome', (now) => [limit, now], deadline),
    archive: (reference, deadline) => run('archive', (now) => [reference, now], deadline),
    findLastAttempt: (reference, deadline) => run('findLastAttempt', [reference], deadline),
    markRead: (reference, deadline) => run('markRead', (now) => [reference, now], deadline),
    eraseReference: (reference, deadline) =>
      run('eraseReference', (now) => [reference, now], deadline),
    eraseEmail: (email, limit, deadline) =>
      run('eraseEmail', (now) => [email, limit, now], deadline),
    purge: (periods, limit, deadline) => run('purge', (now) => [periods, limit, now], deadline),
    scrub: (rewrite, deadline) => run('scrub', [rewrite], deadline),
    importMessages: (messages, deadline) =>
      run('importMessages', (now) => [messages, now], deadline),
    findFaults: (deadline) => run('findFaults', [], deadline),
    checkHashes: (query, deadline) => run('checkHashes', [query], deadline),
    stats: (deadline) => run('stats', [], deadline),
    measure: (deadline) => run('measure', (now) => [mailPerHour, now], deadline),
    backup: (path, deadline) => run('backup', [path], deadline),

    state: () => state,
    close() {
      state = 'closed'
      clearInterval(mending)
      return store.close()
    },
  }
}
