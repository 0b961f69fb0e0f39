import { LANGUAGES } from '../../shared/language.ts'
import { pages } from '../../shared/pages.ts'
import type { Proof } from './proof.ts'

/** Resolves to the answer, with its text; a site that does not answer has the status 0. */
async function ask(url: string, options?: RequestInit) {
  try {
    const answer = await fetch(url, options)
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  } catch (error) {
    return { status: 0, headers: new Headers(), text: String((error as Error).cause ?? error) }
  }
}

/** Checks a site that runs anywhere: `--site https://www.example.ca`, without a slash at the end. */
export const prove: Proof = async ({ site, report }) => {
  if (!site) return report.claim('--site is the origin, such as https://www.example.ca', false)
  const wrong: string[] = []
  const urls = pages
    .filter(({ indexed }) => indexed)
    .flatMap(({ path = '' }) => LANGUAGES.map((language) => ({ path, language })))
  for (const { path, language } of urls) {
    const { status, text } = await ask(`${site}${path}?lang=${language}`)
    const isWhole = text.includes(`<html lang="${language}"`) && text.includes('</html>')
    if (status !== 200 || !isWhole) wrong.push(`${path}?lang=${language} (${status})`)
  }
  report.claim(`${urls.length} pages, wrong: ${wrong.join(', ') || 'none'}`, wrong.length === 0)

  const { text } = await ask(site)
  const files = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => `${file}`)
  report.claim(`the home page names ${files.length} scripts and styles`, files.length > 0)
  for (const path of [...files, '/livez', '/readyz', '/sitemap.xml', '/api/openapi.json']) {
    const { status } = await ask(site + path)
    report.claim(`${path} answers ${status}`, status === 200)
  }
  const missing = await ask(`${site}/no-such-page`)
  report.claim(`an unknown page answers ${missing.status}`, missing.status === 404)
  const headers = { 'Content-Type': 'application/json' }
  const refused = await ask(`${site}/api/contact`, { method: 'POST', headers, body: '{}' })
  const isProblem = refused.status === 400 && refused.text.includes('"required"')
  report.claim(`an empty message is refused: ${refused.status}`, isProblem)
}
