import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '../../server/connection/listen.ts'
import { postMessage } from '../harness/client.ts'
import { endProcess, run, startProgram } from '../harness/process.ts'
import { until } from '../harness/raw-client.ts'
import { type Proof, type ProofParts, startSite } from './proof.ts'

const DOCS = join(import.meta.dirname, '../../docs')
const RULES = join(DOCS, 'alarms.yaml')
const RULE_TESTS = join(import.meta.dirname, 'alarms-test.yaml')
const { panels } = JSON.parse(readFileSync(join(DOCS, 'dashboard.json'), 'utf8'))
const queries: string[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
  targets.map(({ expr }) => expr),
)

/** Time for two scrapes: `rate` needs two. */
const SCRAPES_MS = 2500

async function proveWith(api: string, { report }: ProofParts): Promise<void> {
  const ask = async (path: string) => (await fetch(`${api}/${path}`)).json()
  const isUp = async () => (await ask('query?query=up')).data.result[0]?.value[1] === '1'
  await until(() => isUp().catch(() => wait(100, false)))
  await wait(SCRAPES_MS)
  const { data } = await ask('rules')
  const rules: { name: string; health: string; state: string }[] = data.groups[0].rules
  const sick = rules.filter(({ health, state }) => health !== 'ok' || state !== 'inactive')
  report.claim(`Prometheus evaluates ${rules.length} alarms`, rules.length > 0)
  const names = sick.map(({ name }) => name)
  report.claimNone('no alarm is firing or broken', names)
  const answers = await Promise.all(
    queries.map(async (query) => ({
      query,
      ...(await ask(`query?query=${encodeURIComponent(query)}`)),
    })),
  )
  const failed = answers.filter(({ status }) => status !== 'success')
  const text = `Prometheus answers all ${answers.length} queries of the dashboard`
  const refused = failed.map(({ query }) => query)
  report.claimNone(text, refused)
  const empty = answers.filter(({ data }) => data?.result.length === 0)
  for (const { query } of empty) report.note(`no data now: ${query}`)
}

/** A real Prometheus (from Debian) reads the metrics of a running site and evaluates the alarms and the dashboard. */
export const prove: Proof = async (parts) => {
  const { report } = parts
  if ((await run('promtool', ['--version'])).status !== 0)
    return report.claim('promtool is installed (Debian: apt-get install prometheus)', false)
  for (const args of [
    ['check', 'rules', RULES],
    ['test', 'rules', RULE_TESTS],
  ]) {
    const { status, stdout, stderr } = await run('promtool', args)
    report.claim(`promtool ${args.slice(0, 2).join(' ')}`, status === 0)
    if (status !== 0) report.note(stdout + stderr)
  }
  const folder = mkdtempSync(join(tmpdir(), 'prove-'))
  const metricsPort = await findFreePort('127.0.0.1')
  const environment = { METRICS_PORT: String(metricsPort) }
  const site = await startSite(`sqlite:${join(folder, 'inbox.sqlite')}`, { environment })
  await postMessage(site.url)
  const port = await findFreePort('127.0.0.1')
  const config = join(folder, 'prometheus.yml')
  const job = { job_name: 'website', static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] }
  const global = { scrape_interval: '1s', evaluation_interval: '1s' }
  // Prometheus reads YAML, and JSON is valid YAML.
  writeFileSync(config, JSON.stringify({ global, scrape_configs: [job], rule_files: [RULES] }))
  const storage = `--storage.tsdb.path=${join(folder, 'data')}`
  const listen = `--web.listen-address=127.0.0.1:${port}`
  const options = [`--config.file=${config}`, storage, listen]
  const prometheus = startProgram('prometheus', options, { stdio: 'ignore' })
  try {
    await proveWith(`http://127.0.0.1:${port}/api/v1`, parts)
  } finally {
    await endProcess(prometheus, 'SIGTERM')
    await site.stop()
    rmSync(folder, { recursive: true })
  }
}
