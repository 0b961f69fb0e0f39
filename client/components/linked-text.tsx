import { company } from '../../shared/content/company.ts'
import { formatPhone } from '../../shared/format.ts'
import { useSite } from '../frame/site-context.ts'

type TextLink = [word: string, href: string]

/** Federal and Quebec sites. */
const SITE = /\b[a-z\d.-]+\.[gq]c\.ca\b/g

/** A text in which the firm's telephone number, its e-mail addresses and sites of governments are links. */
export function LinkedText({ text }: { text: string }) {
  const { language } = useSite()
  const sites = new Set(text.match(SITE))
  const links: TextLink[] = [
    [formatPhone(company.phone, language), `tel:${company.phone}`],
    [company.email, `mailto:${company.email}`],
    [company.privacyEmail, `mailto:${company.privacyEmail}`],
    ...[...sites].map((site): TextLink => [site, `https://www.${site.replace(/^www\./, '')}/`]),
  ]
  return <Parts text={text} links={links} />
}

function Parts({ text, links: [link, ...others] }: { text: string; links: TextLink[] }) {
  if (!link) return <span>{text}</span>
  const [word, href] = link
  const place = text.indexOf(word)
  if (place < 0) return <Parts text={text} links={others} />
  return (
    <>
      <Parts text={text.slice(0, place)} links={others} />
      <a href={href}>{word}</a>
      <Parts text={text.slice(place + word.length)} links={[link, ...others]} />
    </>
  )
}
