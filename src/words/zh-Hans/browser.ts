import type { Words } from '../words.ts';

export const browser: Words['browser'] = {
  copy: '复制',
  copied: '已复制',
  notCopied: '复制失败',
  selected: '已选中',
  copyCode: '复制代码',
  copyLink: '复制链接',
  show: '显示',
  hide: '隐藏',
  unreachable: '暂时无法连接本店，未作任何更改。',
  deleteNote: '删除这条笔记及其中的内容？',
  yourNote: '您的笔记',
  unsent: '已保存在此设备上，联网后发送：',
  loseUnsent: '有些笔记尚未发送，退出登录后会丢失。确定退出登录吗？',
};
