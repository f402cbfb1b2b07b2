package dev.kudu4j.itest.workload;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * One process' tables, honest or with one fault, now and then. Shared by the stores of several
 * workers; every call holds the lock of all.
 */
final class MemoryStore {
  /** What a store may do wrong. */
  enum Lie {
    NONE,
    LOSES_WRITES,
    INSERTS_TWICE,
    ADDS_ROWS,
    SPLITS_REQUESTS,
    REWRITES_HISTORY,
    READS_STALE,
    FORGETS_SESSIONS
  }

  /** Every row of a table as it came, with the timestamp of its request. */
  private record Version(long timestamp, Row row) {}

  private final Lie lie;
  private final Random random = new Random(5);
  private final Map<String, List<Version>> tables = new HashMap<>();
  private long clock = 1;

  MemoryStore(Lie lie) {
    this.lie = lie;
  }

  /** A client's view. */
  Store client() {
    return new Client();
  }

  private boolean lies(Lie kind) {
    return lie == kind && random.nextInt(10) == 0;
  }

  private final class Client implements Store {
    private long lastTimestamp;

    @Override
    public void create(String table, int tabletCount) {
      tables.put(table, new ArrayList<>());
    }

    @Override
    public List<Outcome> insert(String table, List<Row> rows) {
      synchronized (MemoryStore.this) {
        List<Outcome> outcomes = new ArrayList<>();
        Map<Long, Row> before = rowsAt(table, clock + 1);
        for (Row row : rows) {
          outcomes.add(
              before.containsKey(row.key()) || lies(Lie.INSERTS_TWICE)
                  ? Outcome.PRESENT
                  : Outcome.DONE);
        }
        write(table, rows);
        if (lies(Lie.ADDS_ROWS)) {
          write(table, List.of(new Row(-7, 0, 0)));
        }
        return outcomes;
      }
    }

    @Override
    public Outcome upsert(String table, List<Row> rows) {
      synchronized (MemoryStore.this) {
        if (random.nextInt(20) == 0) {
          if (random.nextBoolean()) {
            write(table, rows);
          }
          return Outcome.UNKNOWN;
        }
        write(table, rows);
        return Outcome.DONE;
      }
    }

    private void write(String table, List<Row> rows) {
      if (lies(Lie.LOSES_WRITES)) {
        return;
      }
      clock++;
      for (Row row : rows) {
        clock += lies(Lie.SPLITS_REQUESTS) ? 1 : 0;
        long timestamp = lies(Lie.REWRITES_HISTORY) ? clock / 2 : clock;
        tables.get(table).add(new Version(timestamp, row));
      }
      lastTimestamp = lie == Lie.SPLITS_REQUESTS ? clock - 1 : clock;
    }

    @Override
    public List<Row> read(Reading reading) {
      synchronized (MemoryStore.this) {
        boolean stale =
            (reading.where() == Reading.Where.LEADER && lies(Lie.READS_STALE))
                || (reading.where() == Reading.Where.ANY_OF_SESSION && lies(Lie.FORGETS_SESSIONS));
        LongFunction<Map<Long, Row>> at = timestamp -> rowsAt(reading.table(), timestamp);
        Map<Long, Row> rows =
            reading.timestamp() != Reading.NOW
                ? at.apply(reading.timestamp())
                : at.apply(stale ? clock / 2 : clock + 1);
        lastTimestamp = clock;
        return rows.values().stream()
            .filter(row -> reading.key() == Reading.ALL || reading.key() == row.key())
            .toList();
      }
    }

    private Map<Long, Row> rowsAt(String table, long timestamp) {
      Map<Long, Row> rows = new TreeMap<>();
      tables.get(table).stream()
          .filter(version -> version.timestamp() < timestamp)
          .forEach(version -> rows.put(version.row().key(), version.row()));
      return rows;
    }

    @Override
    public long lastTimestamp() {
      return lastTimestamp;
    }

    @Override
    public void close() {
      // The tables stay.
    }
  }
}
