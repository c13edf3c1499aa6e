import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { deflateChunk } from '../../catalog/archive/gzip.ts';
import { type Artefact, temporaryFile, writeArtefact } from '../../catalog/artefact.ts';
import { bookSkillFiles } from '../../catalog/book-skill.rule.ts';
import { hashFile, readChunks } from '../../catalog/file-scan.ts';
import { unpackTar } from '../../catalog/unpack-edition.ts';
import { sha256 } from '../../platform/base/runtime.ts';
import { createPackBody } from './pack-body.ts';
import type { EditionTree, TagPackJob } from './tag-pack.ts';

type PackBody = ReturnType<typeof createPackBody>;

export async function makeTagPack({ directory, name, trees }: TagPackJob): Promise<Artefact> {
  let objects = 0;
  const artefact = await writeArtefact(directory, { kind: 'pack', name }, async (write) => {
    const body = createPackBody(write);
    for (const tree of trees) await addTree(body, tree, temporaryFile(directory));
    objects = body.finish();
  });
  return { ...artefact, content: { tree: trees[0]?.id ?? '', objects } };
}

async function addTree(body: PackBody, tree: EditionTree, work: string): Promise<void> {
  try {
    const files = [...(await unpackTar(tree.tar, work))].map((path) => {
      const file = join(work, path);
      return { path, ...hashFile(file), executable: (statSync(file).mode & 0o111) !== 0 };
    });
    for (const file of tree.isBook ? bookSkillFiles(files) : files) {
      const blob = body.addFile({ ...file, path: `${tree.folder}/${file.path}` });
      readChunks(join(work, file.path), (chunk) => blob.push(chunk, deflateChunk(chunk)));
      blob.end();
    }
    for (const [path, text] of tree.texts) {
      const bytes = Buffer.from(text);
      const blob = body.addFile({ path, size: bytes.length, sha256: sha256(text), executable: false });
      blob.push(bytes, deflateChunk(bytes));
      blob.end();
    }
    if (body.endTree() !== tree.id) throw new Error('An archive holds other files than its git tag');
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
