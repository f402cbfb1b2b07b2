package dev.kudu4j.server.logging;

import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/** SLF4J markers of log events, which the daemons' log configuration evaluates. */
public final class LogMarkers {
  /**
   * A line that any client can cause at any rate, such as the creation of a table. Above a certain
   * rate, the log configuration of the daemons omits such lines and logs their number.
   */
  public static final Marker ON_DEMAND = MarkerFactory.getMarker("ON_DEMAND");

  private LogMarkers() {}
}
