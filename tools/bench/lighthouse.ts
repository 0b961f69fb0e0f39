import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const VERSION = '13.5.0'
const FOLDER = join(import.meta.dirname, '../../node_modules/.cache/lighthouse')
const PACKAGE = join(FOLDER, 'node_modules/lighthouse')
/** What a run may take, in ms. */
const PATIENCE = 120_000
/** On a busy machine a trace may miss its beginning, and Lighthouse asks to be run again. */
const TRIES = 3
const REPORT_SIZE = 64 * 1024 * 1024

export interface LighthouseResult {
  /** 0 to 100. */
  scores: { performance: number; accessibility: number; bestPractices: number; seo: number }
  /** Layout shift as a number, the rest in ms. */
  metrics: { fcp: number; lcp: number; tbt: number; cls: number }
  /** What costs points, performance aside. */
  faults: string[]
}

interface Report {
  runtimeError?: { message: string }
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { title: string; score: number | null; numericValue?: number }>
}

function isInstalled(): boolean {
  try {
    return JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')).version === VERSION
  } catch {
    return false
  }
}

/** Installs Lighthouse beside the packages, not among them, unless it is there. */
export function provideLighthouse(): void {
  if (isInstalled()) return
  console.log(`Lighthouse is missing: installing ${VERSION} into node_modules/.cache`)
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }\n')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact']
  execFileSync('npm', ['install', ...options, `lighthouse@${VERSION}`], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Looks at a page as Lighthouse's phone does, in a new browser; needs `provideLighthouse` before. */
export async function runLighthouse(
  url: string,
  chromium: string,
  tries = TRIES,
): Promise<LighthouseResult> {
  try {
    return await look(url, chromium)
  } catch (error) {
    if (tries > 1) return runLighthouse(url, chromium, tries - 1)
    const { stderr, message } = error as Error & { stderr?: string }
    throw new Error(`Lighthouse could not look at ${url}: ${stderr?.trim() || message}`)
  }
}

async function look(url: string, chromium: string): Promise<LighthouseResult> {
  const words = [
    join(PACKAGE, 'cli/index.js'),
    url,
    '--output=json',
    '--quiet',
    '--only-categories=performance,accessibility,best-practices,seo',
    '--no-enable-error-reporting',
    '--chrome-flags=--headless=new --no-sandbox --disable-background-networking',
  ]
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    env: { ...process.env, CHROME_PATH: chromium },
    timeout: PATIENCE,
    maxBuffer: REPORT_SIZE,
  })
  return summarize(JSON.parse(stdout))
}

function summarize({ runtimeError, categories, audits }: Report): LighthouseResult {
  if (runtimeError) throw new Error(runtimeError.message)
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
  const metric = (name: string) => audits[name]?.numericValue ?? Number.NaN
  const { performance: _, ...others } = categories
  const faults = Object.values(others).flatMap(({ auditRefs }) =>
    auditRefs.flatMap(({ id, weight }) => {
      const audit = audits[id]
      return audit && audit.score !== null && audit.score < 1 && weight > 0 ? [audit.title] : []
    }),
  )
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      bestPractices: score('best-practices'),
      seo: score('seo'),
    },
    metrics: {
      fcp: metric('first-contentful-paint'),
      lcp: metric('largest-contentful-paint'),
      tbt: metric('total-blocking-time'),
      cls: metric('cumulative-layout-shift'),
    },
    faults,
  }
}
