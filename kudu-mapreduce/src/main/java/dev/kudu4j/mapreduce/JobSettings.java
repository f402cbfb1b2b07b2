package dev.kudu4j.mapreduce;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.InvalidJobConfException;

/** Reads a job's configuration; errors contain the key of the missing or invalid value. */
final class JobSettings {
  private final Configuration conf;

  JobSettings(Configuration conf) {
    this.conf = conf;
  }

  /**
   * @param what description of the value, for the message
   * @param remedy how to set the value
   */
  String required(String key, String what, String remedy) throws InvalidJobConfException {
    String value = conf.getTrimmed(key, "");
    if (value.isEmpty()) {
      throw new InvalidJobConfException(
          "The job does not specify the " + what + ": set " + key + ", or " + remedy);
    }
    return value;
  }

  /**
   * The value of {@code key} or, if only {@code otherKey} is set, the value of {@code otherKey}.
   */
  String requiredOf(String key, String otherKey, String what, String remedy)
      throws InvalidJobConfException {
    boolean other = conf.getTrimmed(key, "").isEmpty() && !conf.getTrimmed(otherKey, "").isEmpty();
    return required(other ? otherKey : key, what, remedy);
  }

  /** An integer of at least {@code min}; {@code otherwise} if the key is not set. */
  long number(String key, long otherwise, long min) throws InvalidJobConfException {
    String text = conf.getTrimmed(key, "");
    if (text.isEmpty()) {
      return otherwise;
    }
    long value;
    try {
      value = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new InvalidJobConfException(key + " must be an integer, not '" + text + "'", e);
    }
    if (value < min) {
      throw new InvalidJobConfException(key + " must be at least " + min + ", not " + value);
    }
    return value;
  }

  /** Like {@link #number}, for an int. */
  int intNumber(String key, int otherwise, int min) throws InvalidJobConfException {
    long value = number(key, otherwise, min);
    if (value > Integer.MAX_VALUE) {
      throw new InvalidJobConfException(
          key + " must be at most " + Integer.MAX_VALUE + ", not " + value);
    }
    return (int) value;
  }

  boolean flag(String key, boolean otherwise) throws InvalidJobConfException {
    String text = conf.getTrimmed(key, "");
    if (text.isEmpty()) {
      return otherwise;
    }
    if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
      return Boolean.parseBoolean(text);
    }
    throw new InvalidJobConfException(key + " must be true or false, not '" + text + "'");
  }
}
