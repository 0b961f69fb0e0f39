/** A file of shared/content that lacks what the pages need, in words for the person who edits it. */
export interface TypeFault {
  file: string
  key: string
  advice: string
}

const KINDS: Record<string, string> = { string: 'a text in quotation marks', number: 'a number' }

function advise(lines: string[]): [string[], string] {
  const text = lines.join('\n')
  const missing =
    /Property '(\w+)' is missing/.exec(text)?.[1] ??
    /missing the following properties from type '.*?': (.+)/.exec(text)?.[1]
  if (missing) return [[missing], 'this key is missing or was renamed: put it back under this name']
  const kind = /is not assignable to type '(string|number)'/.exec(lines.at(-1) ?? '')?.[1]
  return [[], kind ? `this must be ${KINDS[kind]}` : 'this has another shape than the pages need']
}

const UNKNOWN_KEYS = /^scripts\/unknown-keys\.ts\(.* does not satisfy the constraint 'never'/

/** What the compiler names like `divisions.items.public-safety.tags[].colour`. */
function findUnknownKeys(head: string): TypeFault[] {
  return [...head.matchAll(/"(\w+)\.([^"]+)"/g)].map(([, group, key = '']) => ({
    file: `fr/${group}.json`,
    key,
    advice: 'nothing on the site uses this key: remove it in both languages, or write it as it was',
  }))
}

/**
 * The faults of the texts among what the compiler says. `groupAt` names the group on a line of the file that
 * gathers a language's groups.
 */
export function findTypeFaults(
  output: string,
  groupAt: (language: string, line: number) => string,
): TypeFault[] {
  const messages = output.trimEnd().split(/\n(?=\S)/)
  return messages.flatMap((message) => {
    const [head = '', ...rest] = message.split('\n')
    if (UNKNOWN_KEYS.test(head)) return findUnknownKeys(head)
    const place = /^shared\/content\/(fr|en)\.ts\((\d+),\d+\): error/.exec(head)
    if (!place) return []
    const [, language = '', line] = place
    const outer = [...message.matchAll(/[Tt]ypes of (?:property )?'([\w.-]+)' are incompatible/g)]
    const [inner, advice] = advise([head, ...rest])
    return [
      {
        file: `${language}/${groupAt(language, Number(line))}.json`,
        key: [...outer.map(([, name = '']) => name), ...inner].join('.'),
        advice,
      },
    ]
  })
}
