import { expect, test } from 'bun:test';
import { createRandom, FORGERIES, proveRandom, randomBook, signBook } from '../catalog/proof-cases.ts';
import { createSigner } from '../catalog/signing.ts';
import { checkByHandbook } from './handbook-checker.ts';

const isHere = Bun.which('python3') !== null && Bun.which('ssh-keygen') !== null;

test.skipIf(!isHere && process.env['CI'] !== 'true')(
  "the Handbook's program takes what is true, and none of the forgeries",
  async () => {
    const [moe, other] = [createSigner('ssh-ed25519'), createSigner('ssh-ed25519')];
    const random = createRandom(2001);
    const book = randomBook('tides', random);
    const cases = await Promise.all(
      Array.from({ length: 5 }, () => proveRandom(book, signBook(book, moe), random)),
    );
    const elsewhere = await proveRandom(book, signBook({ ...book, slug: 'ebbs' }, other), random);
    const forged = cases.flatMap(({ proof }) =>
      Object.values(FORGERIES).map((forge) => forge(proof, random, elsewhere.proof)),
    );
    const byOther = {
      ...cases[0]!.proof,
      signature: other.sign(cases[0]!.proof.signed, { namespace: 'bookstall-quotes' }),
    };
    const proofs = [...cases.map(({ proof }) => proof), ...forged, byOther, moe];
    const said = await checkByHandbook(
      proofs.map((one) => JSON.stringify(one)),
      moe.fingerprint,
    );
    for (const [n, { quote }] of cases.entries()) expect(said[n]).toEndWith(`${quote}\n`);
    expect(said.slice(cases.length)).toEqual(Array.from({ length: forged.length + 2 }, () => null));
  },
);
