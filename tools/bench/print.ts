import { type Figure, type Findings, isMet, type Table, write, writeLimit } from './figures.ts'

export function toTable(figures: Figure[]): Table {
  const judge = (figure: Figure) => ({ true: 'met', false: 'NOT MET' })[String(isMet(figure))] ?? ''
  return {
    head: ['figure', 'measured', 'limit', ''],
    rows: figures.map((figure) => [
      figure.name,
      write(figure.value, figure.unit),
      writeLimit(figure),
      judge(figure),
    ]),
  }
}

function printTable({ head, rows }: Table): void {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  const print = (row: string[]) =>
    console.log(
      `  ${row
        .map((cell, at) =>
          at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join('  ')}`,
    )
  for (const row of [head, ...rows]) print(row)
}

export function printFindings({ title, figures, tables }: Findings): void {
  console.log(`\n${title}`)
  for (const table of tables) printTable(table)
  printTable(toTable(figures))
}

export function printSummary(figures: Figure[]): void {
  console.log('\nAll figures')
  printTable(toTable(figures))
}
