/* Uses the pages of :explore in Firefox: they load, step through every stop with what changed in view, mark
   what truly changed, pick, search, open and close, fit on a phone. Arguments: the folder of the pages and
   of node_modules; --short. Ends with "N passed, N failed". */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { startFirefox } from './bidi.mjs';
import { marksInPage, middleOf, openRows, settled, walkInPage } from './walks.mjs';

const dir = process.argv[2], short = process.argv.includes('--short'), problems = [];
const names = (short ? ['rnn', 'layers', 'small', 'none'] : ['rnn', 'lstm', 'nested', 'chain', 'net', 'layers', 'small', 'none']).filter(n => existsSync(`${dir}/${n}.html`));
const counts = { passed: 0, failed: 0 }, desk = [1440, 900], phone = [390, 844];
const firefox = await startFirefox(process.env.FIREFOX ?? 'firefox-esr', `${dir}/node_modules`, m => problems.push(m));

function need(ok, why) { if (!ok) throw new Error(why); }
const only = new RegExp(process.argv.find(a => a.startsWith('--only='))?.slice(7) ?? '');
async function check(what, run) {
  if (!only.test(what)) return;
  try {
    const said = await run();
    counts.passed++;
    console.log(`  Firefox: ${what}${said ? ': ' + said : ''}`);
  } catch (e) {
    counts.failed++;
    console.log(`FAILED: Firefox: ${what}\n    ${String(e.message ?? e).slice(0, 1500)}`);
  }
}
async function open(name, hash = '', size = desk) {
  await firefox.open(`${dir}/${name}.html`, hash, size);
  need(await firefox.evaluate(() => !!document.querySelector('[role=treeitem][aria-selected=true]')), 'nothing is selected');
  await firefox.evaluate(settled);
}
const textOf = selector => firefox.evaluate(s => document.querySelector(s)?.textContent ?? '', selector);
const countOf = selector => firefox.evaluate(s => document.querySelectorAll(s).length, selector);
async function shot(name) { writeFileSync(`${dir}/firefox-${name}.png`, await firefox.screenshot()); }

for (const name of names)
  await check(`${name}: every step by keyboard, something that changed in view`, async () => {
    await open(name);
    await firefox.evaluate(openRows);
    const items = await countOf('#tree .item:not(.empty):not([hidden])');
    const [steps, wrong] = await firefox.evaluate(walkInPage);
    need(!wrong.length, `${wrong.length} of ${steps}: ${wrong.slice(0, 9).join('; ')}`);
    need(steps === items, `${steps} places of ${items}`);
    await shot(name);
    return `${steps} places`;
  });

for (const name of names.filter(n => existsSync(`${dir}/${n}.json`)))
  await check(`${name}: what is highlighted has changed`, async () => {
    const truth = JSON.parse(readFileSync(`${dir}/${name}.json`, 'utf8')), wrong = [];
    await open(name);
    let steps = 0;
    for (const [pass, rows] of Object.entries(truth))
      for (const [number, truly] of Object.entries(rows)) {
        await firefox.evaluate((h, start) => new Promise(f => {
          const look = () => document.getElementById('place').textContent.startsWith(start) ? f(true) : requestAnimationFrame(look);
          location.hash = h;
          look();
        }), `#${pass}/${number}`, `${pass} ${number} `);
        await firefox.evaluate(settled);
        for (const n of await firefox.evaluate(marksInPage)) {
          need(n.drawn, `%${n.id} is hidden at ${pass} ${number}`);
          if (n.id > 0 && n.mark && !truly[n.mark].includes(n.id)) wrong.push(`${pass} ${number}: %${n.id} is ${n.mark} for nothing`);
        }
        steps++;
      }
    need(!wrong.length, wrong.slice(0, 12).join('; '));
    return `${steps} steps`;
  });

await check('a click tells what is picked; it stays picked; the address names it', async () => {
  await open('rnn', '#source/0');
  await firefox.press('f');
  await firefox.evaluate(() => new Promise(f => { setTimeout(f, 400); }));
  await firefox.click(...await firefox.evaluate(middleOf, '.sheet:not(.away) .node.op-elementwise:not(.off)'));
  const told = await textOf('#node h2');
  need(told.includes('%'), `picked: ${told}`);
  need(await countOf('.sheet:not(.away) .picked') === 1, 'not picked');
  await firefox.press('j');
  need(await textOf('#node h2') === told, 'another is picked');
  await firefox.evaluate(() => new Promise(f => { setTimeout(f, 200); }));
  need(/\/\d+$/.test(await firefox.evaluate(() => location.hash)), 'the address does not name it');
  await firefox.press('Escape');
  need(await countOf('.sheet:not(.away) .picked') === 0, 'still picked');
});

await check('a drag moves the picture and picks nothing', async () => {
  await open('rnn', '#source/0');
  const at = () => firefox.evaluate(() => new DOMMatrix(getComputedStyle(document.querySelector('.sheet:not(.away)')).transform).e);
  const was = await at();
  await firefox.drag(...await firefox.evaluate(middleOf, '.sheet:not(.away) .node:not(.off)'), 60, 0);
  need(Math.abs(await at() - was - 60) < 2, `moved by ${await at() - was}`);
  need(await countOf('.sheet:not(.away) .picked') === 0, 'a drag picks');
});

await check('a loop closes and opens by key; search opens it', async () => {
  await open('rnn', '#source/0');
  const tab = '.sheet:not(.away) .tab.kind-scan:not(.off)', before = await countOf('.sheet:not(.away) .node:not(.off)');
  await firefox.evaluate(s => document.querySelector(s).focus(), tab);
  await firefox.press('Enter');
  need(await countOf('.sheet:not(.away) .node:not(.off)') < before, 'not closed');
  await firefox.press('/');
  await firefox.type('tanh');
  await firefox.press('Enter');
  need(await countOf('.sheet:not(.away) .node:not(.off)') === before, 'not opened');
  need((await textOf('#node h2')).includes('tanh'), 'not found');
});

await check('what repeats is folded, turns and unfolds', async () => {
  await open('layers');
  const drawn = () => countOf('.sheet:not(.away) .node:not(.off)'), few = await drawn(), turn = await textOf('.turning:not(.off) .count');
  need(few < 30 && (await textOf('#folded')).startsWith('folded: '), `${few} nodes`);
  await firefox.press(']');
  need(await textOf('.turning:not(.off) .count') !== turn, 'it does not turn');
  await firefox.evaluate(s => document.querySelector(s).focus(), '.sheet:not(.away) .turning:not(.off) [data-key]');
  await firefox.press('Enter');
  await firefox.evaluate(settled);
  need(await drawn() > few + 89 && await countOf('.sheet:not(.away) .turning:not(.off) [aria-expanded=false]') === 1, `${await drawn()} nodes in one frame`);
  await firefox.press('u');
  await firefox.evaluate(settled);
  need(await drawn() > 400, `${await drawn()} nodes unfolded`);
});

await check('on a phone: nothing wider than the screen, sheets open', async () => {
  await open('rnn', '#source/0', phone);
  need(await firefox.evaluate(() => document.documentElement.scrollWidth) <= phone[0], 'wider than the screen');
  await firefox.click(...await firefox.evaluate(middleOf, '[data-sheet=steps]'), 'touch');
  need(await firefox.evaluate(() => getComputedStyle(document.getElementById('steps')).display) !== 'none', 'the list does not open');
  await shot('phone');
});

await check('no message, no request', async () => need(!problems.length, problems.slice(0, 8).join('\n    ')));
await firefox.close();
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed ? 1 : 0);
