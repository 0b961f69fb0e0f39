import { LANGUAGES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import type { Proof, ProofOptions } from './proof.ts'

const visible = pages.filter(({ indexed }) => indexed)

async function findWrongPages(site: string): Promise<string[]> {
  const wrong: string[] = []
  for (const { path = '' } of visible) {
    for (const language of LANGUAGES) {
      const address = `${path}?lang=${language}`
      const answer = await fetch(site + address)
      const text = await answer.text()
      const whole = text.includes(`<html lang="${language}"`) && text.includes('</html>')
      if (answer.status !== 200 || !whole) wrong.push(`${address} (${answer.status})`)
    }
  }
  return wrong
}

async function findWrongFiles(site: string): Promise<string[]> {
  const text = await (await fetch(site)).text()
  const files = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path)
  const wrong = files.length === 0 ? ['the page names none'] : []
  for (const path of new Set(files)) {
    const { status, headers } = await fetch(site + path)
    const kept = headers.get('Cache-Control')?.includes('immutable')
    if (status !== 200 || !kept) wrong.push(`${path} (${status}, ${headers.get('Cache-Control')})`)
  }
  return wrong
}

/** `site` is an origin without a slash at the end. */
async function checkSite(site: string, report: ProofOptions['report']): Promise<void> {
  report.claimNone(
    `${visible.length} pages in ${LANGUAGES.length} languages`,
    await findWrongPages(site),
  )
  report.claimNone('the scripts and styles of the home page', await findWrongFiles(site))
  for (const path of ['/livez', '/readyz', '/sitemap.xml', '/robots.txt', '/api/openapi.json']) {
    const { status } = await fetch(site + path)
    report.claim(`${path} answers ${status}`, status === 200)
  }
  const { status } = await fetch(`${site}/no-such-page`)
  report.claim(`an unknown page answers ${status}`, status === 404)
  const headers = { 'Content-Type': 'application/json' }
  const refused = await fetch(`${site}/api/contact`, { method: 'POST', headers, body: '{}' })
  // A proxy in front of the site may answer with HTML.
  const { code } = await refused.json().catch(() => ({}))
  report.claim(`an empty message is refused: ${refused.status}, ${code}`, code === 'required')
}

/** Checks a site that runs anywhere: `--site https://www.example.ca`. */
export const prove: Proof = async ({ site, report }) => {
  if (!site) return report.claim('--site is the origin, such as https://www.example.ca', false)
  try {
    await checkSite(site, report)
  } catch (error) {
    if (!Error.isError(error)) throw error
    const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException
    report.claim(`${site} answers (${code ?? message})`, false)
  }
}
