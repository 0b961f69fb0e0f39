const getError = (text: string): string => {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return String(Object(error).message)
  }
}

const isUnexpected = (text: string) => getError(text).startsWith('Unexpected token')

/** V8 names most positions. An unexpected token ends the shortest start of the text that has this error. */
function findOffset(text: string): number {
  const [, position] = /at position (\d+)/.exec(getError(text)) ?? []
  if (position) return Number(position)
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isUnexpected(text.slice(0, middle + 1))) high = middle
    else low = middle + 1
  }
  return low
}

/** By the first words of V8's message. */
const ADVICE: [words: RegExp, advice: string][] = [
  [/^Unexpected token '\ufeff'/, 'save the file as UTF-8 without a byte order mark'],
  [/^Expected ','/, 'add a comma or a closing bracket here, or remove a straight quotation mark'],
  [/^Expected ':'/, 'add a colon after the key'],
  [/^Bad control/, 'add the closing quotation mark'],
  [/^Bad escaped/, 'remove the backslash'],
  [/^Unexpected non-whitespace/, 'the file should end before this'],
  [/./, 'add the straight quotation marks around the text or the key'],
]

/** Where a text stops being JSON, and how to mend it; undefined if it is JSON. */
export function findJsonFault(text: string): { offset: number; advice: string } | undefined {
  const message = getError(text)
  if (!message) return undefined
  const offset = findOffset(text)
  const before = text.slice(0, offset).trimEnd()
  if (!text.slice(offset).trim())
    return { offset: before.length, advice: 'restore the end of the file' }
  if (before.endsWith(',') && /[}\]]/.test(text.charAt(offset)))
    return { offset: before.length - 1, advice: 'remove the comma: the last line has none' }
  const [, advice = ''] = ADVICE.find(([words]) => words.test(message)) ?? []
  return { offset: message.startsWith("Expected ','") ? before.length : offset, advice }
}
