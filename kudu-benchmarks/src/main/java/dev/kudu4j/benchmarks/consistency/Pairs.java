package dev.kudu4j.benchmarks.consistency;

import java.io.IOException;
import java.util.List;

/**
 * The accounts of the experiment, through one client: one tablet of accounts to which 1 is added,
 * and one of accounts from which 1 is subtracted. The same program for Kudu4j's client and the
 * published one.
 */
public interface Pairs extends AutoCloseable {
  /** Number of pairs of accounts. */
  int ACCOUNTS = 16;

  /** A read mode of Kudu's clients. */
  enum Mode {
    READ_LATEST,
    READ_AT_SNAPSHOT
  }

  /** Creates both tables when there are at least as many tablet servers as replicas. */
  void create(int replicas) throws Exception;

  /** Opens the tables that another client has created. */
  void open() throws Exception;

  /**
   * Sets one account to a number, and its counterpart to minus this number. Whoever is not told
   * that it has succeeded has to repeat it.
   */
  void write(int account, long total) throws Exception;

  /** Sums up all accounts with one scan. */
  Sums read(Mode mode) throws Exception;

  /** Inserts rows into another table, whose tablets are on the same servers. */
  void load(long firstKey, int rows) throws Exception;

  /** The RPC ports of the leaders of the two tablets, as far as they are known. */
  List<Integer> leaderPorts() throws Exception;

  @Override
  void close() throws IOException;
}
