import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Certificate } from './certificate.ts'
import { createRandom, pick } from './random.ts'
import { FAULTS, type ReceivedMail, startSmtp } from './smtp.ts'

interface StormData {
  seed: number
  certificate: Certificate
}

export interface StormReport {
  mails: ReceivedMail[]
  /** How many connections met each fault; `none` included. */
  met: Record<string, number>
}

/** An SMTP server in a thread of its own that fails half the time in every way. */
export async function startStormServer(data: StormData) {
  const worker = new Worker(new URL(import.meta.url), { workerData: data })
  const [port] = (await once(worker, 'message')) as [number]
  return {
    port,
    async stop(): Promise<StormReport> {
      worker.postMessage('stop')
      const [report] = await once(worker, 'message')
      return report
    },
  }
}

async function serve({ seed, certificate }: StormData): Promise<void> {
  const random = createRandom(seed)
  const met: StormReport['met'] = {}
  const { port, mails, stop } = await startSmtp({
    certificate,
    getFault() {
      const fault = random() < 0.5 ? pick(random, FAULTS) : undefined
      met[fault ?? 'none'] = (met[fault ?? 'none'] ?? 0) + 1
      return fault
    },
  })
  parentPort?.postMessage(port)
  parentPort?.once('message', async () => {
    await stop()
    parentPort?.postMessage({ mails, met } satisfies StormReport)
  })
}

if (!isMainThread && workerData?.certificate) await serve(workerData)
