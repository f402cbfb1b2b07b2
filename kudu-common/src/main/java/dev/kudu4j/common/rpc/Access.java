package dev.kudu4j.common.rpc;

/** Who may call a method. Every method declares it; so far there is one answer. */
public enum Access {
  EVERYONE
}
