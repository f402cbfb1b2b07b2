package dev.kudu4j.tools.demo;

import java.util.ArrayList;
import java.util.List;

/** Compares the results of queries with the expected values of the generator. */
final class Checks {
  private final List<String> wrong = new ArrayList<>();
  private int made;

  /** Compares a result with the expected value; returns the verdict to print next to the result. */
  String verdict(String what, Object found, Object expected) {
    made++;
    if (found.equals(expected)) {
      return "right";
    }
    wrong.add(what + " is " + found + " but should be " + expected);
    return "WRONG";
  }

  int count() {
    return made;
  }

  /** One line for each wrong result. */
  List<String> wrong() {
    return wrong;
  }
}
