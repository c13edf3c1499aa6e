import type { Words } from '../words.ts';

export const browser: Words['browser'] = {
  copy: 'コピー',
  copied: 'コピーしました',
  notCopied: 'コピーできません',
  selected: '選択しました',
  copyCode: 'コードをコピー',
  copyLink: 'リンクをコピー',
  show: '表示',
  hide: '隠す',
  unreachable: '現在、サーバーに接続できません。何も変更されていません。',
  deleteNote: 'このメモを、書いた内容も含めて削除しますか？',
  yourNote: 'メモの内容',
  unsent: 'この端末に保存しました。ネットワークにつながると送信されます：',
  loseUnsent: 'まだ送信されていないメモがあり、ログアウトすると失われます。ログアウトしますか？',
};
