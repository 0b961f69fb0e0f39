import type { RequestListener } from 'node:http'
import { Registry } from 'prom-client'
import { toUrlHost } from '../../config/networks.ts'
import { listen } from '../../connection/listen.ts'
import type { Logger } from '../../log.ts'

/** GET /metrics on its own port, which must not be public. */
export async function startMetricsServer(
  host: string,
  metricsPort: number,
  read: () => Promise<string>,
  log: Logger,
): Promise<void> {
  const onRequest: RequestListener = async (req, res) => {
    res.setHeader('Cache-Control', 'no-store')
    if (req.url !== '/metrics') {
      res.writeHead(404).end()
    } else {
      try {
        const text = await read()
        res.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text)
      } catch (err) {
        log.error({ err }, 'metrics could not be read')
        res.writeHead(500).end()
      }
    }
  }
  const { port, answer } = await listen(host, metricsPort)
  answer(onRequest)
  log.info({ metricsPort: port }, `metrics on http://${toUrlHost(host)}:${port}/metrics`)
}
