/** Compile: the TypeScript of a frontend, by its own tsconfig.json. */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The compiler's errors in `folder`, one a line, by file name. */
export async function compileErrors(folder: string): Promise<string[]> {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const { failed, output } = await new Promise<{ failed: boolean; output: string }>((resolve) =>
    execFile(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    ),
  )
  const errors = output.match(/^\S+?\(\d+,\d+\): error.*$/gm) ?? []
  if (failed !== errors.length > 0) throw new Error(output)
  return errors
}
