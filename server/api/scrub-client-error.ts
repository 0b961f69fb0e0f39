// The words of browsers' own error messages. Any other word may be a visitor's input that an error quotes.
const KNOWN_WORDS = new Set(
  `access argument arguments array assignment await before call called cannot class const constant constructor
  convert defined delete denied destructure dynamically error exceeded export expected failed fetch fetching
  function hydrating hydration import imported in initialization instance invalid is iterable json key length
  load loading local maximum missing module name network node not null number object of on out permission
  primitive promise properties property range read reading recursion redefine reference script set size stack
  storage string symbol syntax the to token type undefined unexpected variable while`.split(/\s+/),
)

const ERROR_NAME = /\b(?:Aggregate|Eval|Internal|Range|Reference|Security|Syntax|Type|URI)Error\b/
const REACT_ERROR = /\bMinified React error #\d{1,3}\b/

/** Replaces every word that is not a browser's by `…`. */
export function keepKnownWords(message: string): string {
  const [reactError] = REACT_ERROR.exec(message) ?? []
  if (reactError) return reactError
  const [name] = ERROR_NAME.exec(message) ?? []
  const words = message
    .replace(ERROR_NAME, ' ')
    .split(/[\s'"`():;,.[\]]+/)
    .filter(Boolean)
    .map((word) => (KNOWN_WORDS.has(word.toLowerCase()) ? word : '…'))
    .filter((word, index, all) => word !== '…' || all[index - 1] !== '…')
  return [...(name ? [`${name}:`] : []), ...words].join(' ')
}

const PLACE = /\/(assets\/[\w-]+\.js):(\d{1,7}):(\d{1,7})\b/g

/** The places of a stack in the site's own files, as `file:line:column`. */
export function findPlaces(stack: string): string[] {
  return [...stack.matchAll(PLACE)].map(([, file, line, column]) => `${file}:${line}:${column}`)
}
