/** What hosts of repositories, editors and nvm read says the same as the project. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { projectRoot } from '../src/config/project-root.ts'
import { readPage } from './support/markdown.ts'

test('.editorconfig says what the formatter does', () => {
  const { formatter } = JSON.parse(readPage('.biome.json'))
  const settings = [...readPage('.editorconfig').matchAll(/^(\w+) = (\S+)$/gm)].map(([, name, value]) => [name, value])
  expect(Object.fromEntries(settings)).toEqual({
    root: 'true',
    charset: 'utf-8',
    end_of_line: formatter.lineEnding ?? 'lf',
    indent_style: formatter.indentStyle,
    indent_size: String(formatter.indentWidth),
    max_line_length: String(formatter.lineWidth),
    insert_final_newline: 'true',
    trim_trailing_whitespace: 'true',
  })
})

test('.nvmrc names the oldest Node that package.json allows', () => {
  expect(`>=${readPage('.nvmrc').trim()}`).toBe(JSON.parse(readPage('package.json')).engines.node)
})

test('the workflow runs .ci/run on the Node of .nvmrc, with its PostgreSQL and the whole history', () => {
  const { jobs } = parse(readPage('.github/workflows/ci.yml'))
  const { container, services, env, steps } = jobs.run
  expect(Object.keys(jobs)).toEqual(['run'])
  expect(container.image).toBe(`node:${readPage('.nvmrc').trim()}-bookworm`)
  expect(Object.keys(services)).toEqual([new URL(env.DATABASE_URL).hostname])
  expect(steps[0]).toMatchObject({ uses: expect.stringMatching(/^actions\/checkout@/), with: { 'fetch-depth': 0 } })
  expect(steps.at(-1)).toEqual({ run: '.ci/run' })
})

describe('the templates of issues', () => {
  const folder = '.github/ISSUE_TEMPLATE'
  const forms = readdirSync(join(projectRoot, folder)).filter((file) => file !== 'config.yml')

  test.each(forms)('%s asks questions, each under an id of its own, some of which must be answered', (file) => {
    const { name, description, body } = parse(readPage(`${folder}/${file}`))
    const questions = body.filter(({ type }: { type: string }) => type !== 'markdown')
    expect([name, description].every((text) => text.length > 5)).toBe(true)
    expect(questions.length).toBeGreaterThan(3)
    expect(new Set(questions.map(({ id }: { id: string }) => id)).size).toBe(questions.length)
    for (const { type, attributes } of questions) {
      expect(['input', 'textarea', 'dropdown']).toContain(type)
      expect(attributes.label).toMatch(/\?$/)
      expect(Array.isArray(attributes.options)).toBe(type === 'dropdown')
    }
    expect(
      questions.filter(({ validations }: { validations?: { required: boolean } }) => validations?.required),
    ).not.toEqual([])
  })

  test.each(forms)('%s links to files that exist', (file) => {
    const links = [...readPage(`${folder}/${file}`).matchAll(/\]\(\.\.\/blob\/main\/([^)]+)\)/g)]
    expect(links.filter(([, path = '']) => !existsSync(join(projectRoot, path)))).toEqual([])
  })
})
