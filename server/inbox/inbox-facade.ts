import type { Inbox, InboxState } from './inbox.ts'
import { describeUnavailable, InboxUnavailable } from './inbox-errors.ts'
import { type Name, OPERATIONS, type Operations, type Store } from './operations/index.ts'

export type InboxLog = Record<'info' | 'warn' | 'error', (details: object, text: string) => void>

export interface InboxOptions {
  /** False: a missing store causes the error `missing`. */
  create?: boolean
  /** True: an SQLite file that cannot be written is read all the same, unless its WAL holds data. */
  salvage?: boolean
  /** Current time for the operations, in epoch ms; by default the store's clock. Deadlines always use Date.now(). */
  now?: () => number
  log?: InboxLog
  /** Maximum number of messages mailed in an hour; unlimited when absent. */
  mailPerHour?: number
}

const PROBE_INTERVAL_MS = 1000
/** Long: a slow read may delay the probe, and a probe that fails makes the store unavailable. */
const PROBE_TIMEOUT_MS = 10_000

type Call = (name: Name, args: unknown[], deadline: number) => Promise<unknown>

export function createOperations(call: Call): Operations {
  const methods = Object.keys(OPERATIONS).map((name) => [
    name,
    (deadline: number, ...args: unknown[]) => call(name as Name, args, deadline),
  ])
  return Object.fromEntries(methods)
}

/** While the store cannot be opened, calls reject with InboxUnavailable. Each call or probe tries again. */
export function createInboxFacade(store: Store, place: string, options: InboxOptions): Inbox {
  const { now, log } = options
  let state: InboxState = 'opening'
  let needsProbe = false
  let isProbing = false
  /** The causes that were logged since the store was last open. */
  const causes = new Set<string>()

  const underWay = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  async function run(name: Name, args: unknown[], deadline: number): Promise<unknown> {
    if (Date.now() >= deadline) throw new InboxUnavailable('deadline')
    const [kind] = OPERATIONS[name]
    try {
      const value = await store.run(name, args, { deadline, now: now?.() })
      if (kind !== 'read' && enter('open')) {
        causes.clear()
        log?.info({ place }, 'inbox open')
      }
      return value
    } catch (error) {
      if (error instanceof InboxUnavailable) {
        // Reads do not set `state`: one that fails does not prove that writes fail, so probe.
        if (kind === 'read') needsProbe = true
        else {
          enter('unavailable')
          logCause(error)
        }
      }
      throw error
    }
  }

  const operations = createOperations((...call) => {
    if (state === 'closed') return Promise.reject(new InboxUnavailable('closed'))
    const running = run(...call)
    underWay.add(running)
    const forget = () => underWay.delete(running)
    running.then(forget, forget)
    return running
  })

  /** Logs each cause only once until the store opens. */
  function logCause(error: InboxUnavailable): void {
    const description = describeUnavailable(error)
    const cause = `${description.reason} ${description.code}`
    if (state !== 'unavailable' || causes.has(cause)) return
    causes.add(cause)
    log?.error({ place, ...description }, 'inbox unavailable')
  }

  function enter(next: InboxState): boolean {
    if (state === next || state === 'closed') return false
    state = next
    return true
  }

  async function probe(): Promise<void> {
    if (isProbing || (state === 'open' && !needsProbe)) return
    needsProbe = false
    isProbing = true
    const timeoutMs = state === 'unavailable' ? PROBE_INTERVAL_MS : PROBE_TIMEOUT_MS
    await operations.probe(Date.now() + timeoutMs).catch(() => {})
    isProbing = false
  }

  const timer = setInterval(probe, PROBE_INTERVAL_MS).unref()

  async function finish(): Promise<void> {
    state = 'closed'
    clearInterval(timer)
    await Promise.allSettled(underWay)
    await store.close()
  }

  return {
    ...operations,
    state: () => state,
    close() {
      closing ??= finish()
      return closing
    },
  }
}
