import { redeemCode } from '../../client/sign-in.ts';
import { plain } from '../../client/terminal-text.ts';
import { type Command } from '../command.ts';
import { readerCommand } from './reader-command.ts';

export const redeemCommand: Command = readerCommand({
  name: 'redeem',
  synopsis: 'CODE [--url URL] [--json]',
  summary: 'Redeem a code: its items are yours, and can be installed',
  examples: ['bookstall redeem svg_ABCDE-FGHJK-LMNPQ-RSTUV-WXYZ2'],
  async run(context, input, terminal) {
    const stall = await context.stall();
    stall.requireKey();
    const items = await redeemCode(stall, input.word);
    const names = items.map(plain).join(' ');
    terminal.result({ items }, `Yours: ${names}. Install with "${context.program} install ${names}"`);
  },
});
