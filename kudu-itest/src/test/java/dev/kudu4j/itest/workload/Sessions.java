package dev.kudu4j.itest.workload;

import dev.kudu4j.itest.workload.Store.Outcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/**
 * Each client increments a number in its own row, and reads this row and those of the others, at
 * any replica. It must find its own writes, and no row may return to a lower number than this
 * client has seen.
 *
 * <p>A write without a response may take effect after the next one. So its writer continues with
 * another row.
 */
public final class Sessions implements Workload {
  private static final String TABLE = "sessions";
  private static final int TABLETS = 2;

  private final Findings findings;
  private final AtomicLongArray rowOfWorker;
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong writes = new AtomicLong();

  public Sessions(Findings findings, int workerCount) {
    this.findings = findings;
    this.rowOfWorker = new AtomicLongArray(workerCount);
    for (int worker = 0; worker < workerCount; worker++) {
      rowOfWorker.set(worker, (long) worker << 32);
    }
  }

  @Override
  public String name() {
    return TABLE;
  }

  @Override
  public void prepare(Store store) throws Unavailable {
    store.create(TABLE, TABLETS);
  }

  @Override
  public List<Worker> workers() {
    return IntStream.range(0, rowOfWorker.length()).mapToObj(this::worker).toList();
  }

  private Worker worker(int number) {
    return new Worker() {
      private final Map<Long, Long> known = new HashMap<>();
      private long count;

      @Override
      public boolean step(Store store, Random random) throws Unavailable {
        if (random.nextInt(3) == 0) {
          return write(store);
        }
        boolean own = random.nextBoolean();
        read(store, rowOfWorker.get(own ? number : random.nextInt(rowOfWorker.length())));
        return true;
      }

      private boolean write(Store store) {
        long key = rowOfWorker.get(number);
        writes.incrementAndGet();
        if (store.upsert(TABLE, List.of(new Row(key, ++count, number))) == Outcome.DONE) {
          known.put(key, count);
          return true;
        }
        rowOfWorker.incrementAndGet(number);
        count = 0;
        return false;
      }

      private void read(Store store, long key) throws Unavailable {
        List<Row> rows = store.read(Reading.session(TABLE, key));
        long found = rows.isEmpty() ? 0 : rows.get(0).value();
        long min = known.getOrDefault(key, 0L);
        if (found < min) {
          findings.add(
              "sessions: client %d knows %d in row %d of client %d, and reads %s",
              number, min, key, key >> 32, rows);
        }
        known.merge(key, found, Math::max);
        reads.incrementAndGet();
      }
    };
  }

  @Override
  public void verify(Store store) {
    // All violations were reported by the reads.
  }

  @Override
  public String summary() {
    return writes + " writes, " + reads + " reads";
  }
}
