import { setTimeout as sleep } from 'node:timers/promises'
import { TestEnvironment } from 'jest-environment-node'

/** Far more than a busy machine needs to close what a suite has ended. */
const CLOSE_MS = 30_000
const PAUSE_MS = 50

// Node opens a standard stream at its first use, which would count as a leak of whichever suite that is.
void [process.stdout, process.stderr]

/** Fails a suite that leaves something open: a server, a process or a timer would keep the gate from ending. */
export default class LeakEnvironment extends TestEnvironment {
  private readonly before = process.getActiveResourcesInfo()

  async handleTestEvent(event: { name: string }, state: { unhandledErrors: Error[] }) {
    if (event.name !== 'run_finish') return
    const deadline = Date.now() + CLOSE_MS
    while (this.findLeaks().length > 0 && Date.now() < deadline) await sleep(PAUSE_MS)
    const leaks = this.findLeaks()
    if (leaks.length > 0) state.unhandledErrors.push(new Error(`This suite leaves open: ${leaks}`))
  }

  private findLeaks(): string[] {
    const known = [...this.before]
    return process.getActiveResourcesInfo().filter((each) => {
      const index = known.indexOf(each)
      if (index >= 0) known.splice(index, 1)
      return index < 0
    })
  }
}
