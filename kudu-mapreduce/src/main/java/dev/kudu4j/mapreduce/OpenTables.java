package dev.kudu4j.mapreduce;

import dev.kudu4j.client.KuduTable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.mapreduce.TaskAttemptID;

/**
 * The tables of the open writers in this JVM, by name.
 *
 * <p>A task must create its operations with the table and client of its writer. Hadoop creates the
 * writer and gives a task access only to the configuration, which contains text. Therefore the
 * configuration contains a name, and {@link #TABLES}, the only mutable static field of the module,
 * maps this name to the table. Several tasks may share a JVM. Thread-safe.
 */
final class OpenTables {
  private static final Map<String, KuduTable> TABLES = new ConcurrentHashMap<>();
  private static final AtomicLong NUMBER = new AtomicLong();

  private OpenTables() {}

  /** Adds a table; returns its name, which is valid until {@link #remove}. */
  static String put(TaskAttemptID task, KuduTable table) {
    String name = task + "#" + NUMBER.incrementAndGet();
    TABLES.put(name, table);
    return name;
  }

  /** The table with this name; null if the name is null or unknown. */
  static KuduTable get(String name) {
    return name == null ? null : TABLES.get(name);
  }

  static void remove(String name) {
    TABLES.remove(name);
  }
}
