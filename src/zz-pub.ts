import { publishOnce } from '/work/main/src/app.ts';
let t=performance.now(); let first=0;
let top=0; const timer=setInterval(()=>{top=Math.max(top,process.memoryUsage.rss())},50);
const r=await publishOnce({content:'/tmp/many10k/content',data:'/tmp/many10k/data'},{log:(e)=>{ if(e.event!=='ready') console.log(e)},onProgress:(d,a)=>{ if(d===1) console.log('first',performance.now()-t); if(d===a) console.log('compiled',performance.now()-t)}});
console.log('done',performance.now()-t, r.length, r.filter(x=>x.edition===null).length, 'top', Math.round(top/1e6));
process.exit(0)
