import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { createDocument } from '../../server/api/openapi/document.ts'

type Document = ReturnType<typeof createDocument>

interface Answer {
  status: number
  headers: Record<string, string>
  body?: unknown
  text?: string
}

interface Described {
  headers?: object
  content?: Record<string, { schema: object; example?: unknown; examples?: Examples }>
}

type Examples = Record<string, { value: unknown }>
type Operation = { responses: Record<string, Described> }

const NAME = 'openapi.json'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Compiles an OpenAPI document's schemas and looks up the answers that the document describes. */
export function readDescription(document: Document) {
  const formats = { uuid: UUID, 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) }
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats })
  ajv.addSchema(document, NAME)

  const compile = (pointer: string): ValidateFunction => ajv.compile({ $ref: `${NAME}#${pointer}` })
  const toToken = (word: string) => word.replaceAll('~', '~0').replaceAll('/', '~1')
  const pointTo = (...words: string[]) => words.map((word) => `/${toToken(word)}`).join('')

  function describe(path: string, method: string, status: number): Described | undefined {
    const paths: Record<string, Record<string, Operation>> = document.paths
    return paths[path]?.[method]?.responses[status]
  }

  return {
    compile,
    describe,
    /** Differences between a real answer and its description. */
    findFaults(path: string, method: string, answer: Answer): string[] {
      const described = describe(path, method, answer.status)
      if (!described) return [`${answer.status} is not described`]
      const type = answer.headers['content-type']?.split(';')[0] ?? ''
      const faults: string[] = []
      if (described.content && !described.content[type]) faults.push(`${type} is not described`)
      if (described.content?.[type]) {
        const place = [path, method, 'responses', String(answer.status), 'content', type, 'schema']
        const validate = compile(pointTo('paths', ...place))
        const value = type.endsWith('json') ? answer.body : answer.text
        if (!validate(value)) faults.push(ajv.errorsText(validate.errors))
      }
      return faults
    },
    findExample(path: string, method: string, status: number, type: string, name: string): unknown {
      return describe(path, method, status)?.content?.[type]?.examples?.[name]?.value
    },
  }
}
