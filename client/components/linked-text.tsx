/** E-mail addresses, telephone numbers, and sites of the federal and Quebec governments. */
const LINKED = /[\w.+-]+@[\w.-]+\w|\d{3}[\u00a0-]\d{3}-\d{4}|\b[a-z\d.-]+\.[gq]c\.ca\b/

function toUrl(word: string): string {
  if (word.includes('@')) return `mailto:${word}`
  if (/^\d/.test(word)) return `tel:+1${word.replace(/\D/g, '')}`
  return `https://www.${word.replace(/^www\./, '')}/`
}

/** A text with links for its addresses, telephone numbers and sites. */
export function LinkedText({ text }: { text: string }) {
  const match = LINKED.exec(text)
  if (!match) return <span>{text}</span>
  const [word] = match
  return (
    <>
      <span>{text.slice(0, match.index)}</span>
      <a href={toUrl(word)}>{word}</a>
      <LinkedText text={text.slice(match.index + word.length)} />
    </>
  )
}
