import type { RequestListener } from 'node:http'
import { listen } from '../listen.ts'
import type { Logger } from '../log.ts'
import { EXPOSITION_TYPE } from './exposition.ts'

interface MetricsServerParts {
  host: string
  port: number
  /** The metrics as Prometheus reads them. */
  read: () => Promise<string>
  log: Logger
}

/** GET /metrics on a port of its own, which is for the operator and not for the public. */
export async function startMetricsServer(parts: MetricsServerParts): Promise<void> {
  const { host, log, read } = parts
  const onRequest: RequestListener = async (req, res) => {
    res.setHeader('Cache-Control', 'no-store')
    if (req.url !== '/metrics') {
      res.writeHead(404).end()
    } else if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { Allow: 'GET, HEAD' }).end()
    } else {
      try {
        const text = await read()
        res.writeHead(200, { 'Content-Type': EXPOSITION_TYPE }).end(text)
      } catch (err) {
        log.error({ err }, 'the metrics could not be read')
        res.writeHead(500).end()
      }
    }
  }
  const listening = await listen(host, parts.port)
  listening.answer(onRequest)
  const { port } = listening
  log.info({ metricsPort: port }, `metrics on http://${host}:${port}/metrics`)
}
